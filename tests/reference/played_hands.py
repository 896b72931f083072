"""Hands in the formats of sites, written for these tests. What they come to is worked out beside them."""

# Three players, noise between the lines, a name with a colon and brackets; the flop is heads-up.
#   blinds 0.50 + 1, Ann raises to 3, Bob calls 2.50, "x: (y) [z]" folds: pot 7; flop 4 called: 15; river 10 uncalled.
RING = """\
PokerStars Zoom Hand #200000000001:  Hold'em No Limit ($0.50/$1.00 USD) - 2016/08/01 0:25:01 ET
Table 'Halley' 6-max Seat #4 is the button
Seat 6: Bob ($98.40 in chips)
Seat 1: x: (y) [z] ($1,120 in chips)
Seat 4: Ann ($100 in chips)
Seat 5: Zoe ($40 in chips) is sitting out
Bob: posts small blind $0.50
x: (y) [z]: posts big blind $1
*** HOLE CARDS ***
Dealt to Ann [Ac Kh]
Zoe joins the table at seat #2
Ann: raises $2 to $3
Bob said, "x: folds"
Bob: calls $2.50
x: (y) [z]: folds
*** FLOP *** [Jd Tc 2c]
Bob: checks
Ann: bets $4
Bob is disconnected
Bob has timed out
Bob: calls $4
*** TURN *** [Jd Tc 2c] [Qh]
Bob: checks
Ann: checks
*** RIVER *** [Jd Tc 2c Qh] [Th]
Bob: checks
Ann: bets $10
Bob: folds
Uncalled bet ($10) returned to Ann
Ann collected $14.25 from pot
Ann: doesn't show hand
*** SUMMARY ***
Total pot $15 | Rake $0.75
Board [Jd Tc 2c Qh Th]
Seat 1: x: (y) [z] (big blind) folded before Flop
Seat 4: Ann (button) collected ($14.25)
Seat 6: Bob (small blind) folded on the River
"""

# A tournament: antes, a short all-in, a side pot. Button seat 3, small blind 1, big blind 2; everybody antes 10.
#   Cat all-in 300, Ada all-in 800 (both after the ante), Ben calls 800. Main 3 x 300 + 30 = 930, side 2 x 500 = 1000.
#   Board 2c 7d 9h Jc 3s: Cat has JJ (a set), Ada AA, Ben KK: Cat takes 930, Ada 1000.
SIDE_POT = """\
PokerStars Hand #200000000002: Tournament #77, $1.0+$1.8 USD Hold'em No Limit - Level I (50/100) - 2019/09/20 3:53:29 ET
Table '77 12' 9-max Seat #3 is the button
Seat 1: Ada (810 in chips)
Seat 2: Ben (2000 in chips, $5 bounty)
Seat 3: Cat (310 in chips)
Ada: posts the ante 10
Ben: posts the ante 10
Cat: posts the ante 10
Ada: posts small blind 50
Ben: posts big blind 100
*** HOLE CARDS ***
Cat: raises 200 to 300 and is all-in
Ada: raises 500 to 800 and is all-in
Ben: calls 700
*** FLOP *** [2c 7d 9h]
*** TURN *** [2c 7d 9h] [Jc]
*** RIVER *** [2c 7d 9h Jc] [3s]
*** SHOW DOWN ***
Ada: shows [As Ah] (a pair of Aces)
Ben: shows [Ks Kh] (a pair of Kings)
Ada collected 1000 from side pot
Cat: shows [Js Jh] (three of a kind, Jacks)
Cat collected 930 from main pot
*** SUMMARY ***
Total pot 1930 Main pot 930. Side pot 1000. | Rake 0
Board [2c 7d 9h Jc 3s]
Seat 1: Ada (small blind) showed [As Ah] and won (1000) with a pair of Aces
Seat 2: Ben (big blind) showed [Ks Kh] and lost with a pair of Kings
Seat 3: Cat (button) showed [Js Jh] and won (930) with three of a kind, Jacks
"""

# GG, heads-up: cards of Hero only, a fee more than the rake. 0.05 raise called: 0.10; flop 0.05 called: 0.20.
GG = """\
Poker Hand #HD1234567: Hold'em No Limit ($0.01/$0.02) - 2021/03/04 12:13:14
Table 'NLHHeads1' 2-max Seat #2 is the button
Seat 1: 8a7b ($2 in chips)
Seat 2: Hero ($1.57 in chips)
Hero: posts small blind $0.01
8a7b: posts big blind $0.02
*** HOLE CARDS ***
Dealt to 8a7b
Dealt to Hero [9s 9d]
Hero: raises $0.03 to $0.05
8a7b: calls $0.03
*** FLOP *** [9c 5h 2s]
8a7b: bets $0.05
Hero: calls $0.05
*** TURN *** [9c 5h 2s] [Kd]
8a7b: checks
Hero: checks
*** RIVER *** [9c 5h 2s Kd] [Ks]
8a7b: checks
Hero: checks
*** SHOWDOWN ***
8a7b: shows [Kh 2h] (a full house, Kings full of Deuces)
Hero: shows [9s 9d] (a full house, Nines full of Kings)
8a7b collected $0.18 from pot
*** SUMMARY ***
Total pot $0.20 | Rake $0.01 | Jackpot $0.01 | Bingo $0 | Fortune $0 | Tax $0
Board [9c 5h 2s Kd Ks]
Seat 1: 8a7b (big blind) showed [Kh 2h] and won ($0.18) with a full house, Kings full of Deuces
Seat 2: Hero (button) showed [9s 9d] and lost with a full house, Nines full of Kings
"""

# All-in before the flop and run twice: each wins one board and half of 200.
TWICE = """\
PokerStars Hand #200000000003:  Hold'em No Limit ($1/$2 USD) - 2018/01/02 3:04:05 ET
Table 'Io' 2-max Seat #1 is the button
Seat 1: one ($100 in chips)
Seat 2: two ($150 in chips)
one: posts small blind $1
two: posts big blind $2
*** HOLE CARDS ***
one: raises $98 to $100 and is all-in
two: calls $98
*** FIRST FLOP *** [2c 7d 9h]
*** FIRST TURN *** [2c 7d 9h] [Jc]
*** FIRST RIVER *** [2c 7d 9h Jc] [3s]
*** SECOND FLOP *** [Qd 8d 4c]
*** SECOND TURN *** [Qd 8d 4c] [5h]
*** SECOND RIVER *** [Qd 8d 4c 5h] [Tc]
*** FIRST SHOW DOWN ***
one: shows [As Ah] (a pair of Aces)
two: shows [Qs Qh] (a pair of Queens)
one collected $100 from pot
*** SECOND SHOW DOWN ***
one: shows [As Ah] (a pair of Aces)
two: shows [Qs Qh] (three of a kind, Queens)
two collected $100 from pot
*** SUMMARY ***
Total pot $200 | Rake $0
Hand was run twice
FIRST Board [2c 7d 9h Jc 3s]
SECOND Board [Qd 8d 4c 5h Tc]
Seat 1: one (button) (small blind) showed [As Ah] and won ($100) with a pair of Aces, and lost with a pair of Aces
Seat 2: two (big blind) showed [Qs Qh] and lost with a pair of Queens, and won ($100) with three of a kind, Queens
"""

# Four players, one comes in with both blinds (the small one dead); two see the flop.
#   dead 0.50 + live 1: 0.50 + 1 + 1.50 = 3 posted; Dan (button) folds, Eve posts 1.50 and checks, SB folds, BB checks.
BOTH_BLINDS = """\
PokerStars Game #200000000004: Hold'em No Limit ($0.50/$1.00) - 2012/01/02 3:04:05 ET
Table 'Rhea' 6-max Seat #4 is the button
Seat 1: Sam ($50 in chips)
Seat 2: Big ($60 in chips)
Seat 3: Eve ($70 in chips)
Seat 4: Dan ($80 in chips)
Sam: posts small blind $0.50
Big: posts big blind $1
Eve: posts small & big blinds $1.50
*** HOLE CARDS ***
Eve: checks
Dan: folds
Sam: folds
Big: checks
*** FLOP *** [2c 7d 9h]
Big: bets $1
Eve: folds
Uncalled bet ($1) returned to Big
Big collected $3 from pot
*** SUMMARY ***
Total pot $3 | Rake $0
Board [2c 7d 9h]
Seat 1: Sam (small blind) folded before Flop
Seat 2: Big (big blind) collected ($3)
Seat 3: Eve folded on the Flop
Seat 4: Dan (button) folded before Flop (didn't bet)
"""

ALL = (RING, SIDE_POT, GG, TWICE, BOTH_BLINDS)
BETWEEN = "\n\n\n"

"""What if the opponent folds too much? Run it with `python examples/lock_and_compare.py`.

A solution assumes that both players play well. A lock fixes one player's strategy at one node instead; everything else
is solved again around it. The difference between the two solutions says how to play against that mistake, and what
it is worth.
"""

import runout

HANDS = ("AhAd", "Qh9h", "Ah5h", "8d7d")
BET = "bet 75"
FACING = "x-b75"  # OOP has checked, IP has bet 75; OOP decides


def main() -> None:
    spot = runout.Spot(
        board="Ks Qd 8h 4c 2s",
        pot=100,
        stack=150,
        ranges={
            "oop": "22+,A2s+,K9s+,Q9s+,J9s+,T9s,98s,87s,ATo+,KTo+,QTo+",
            "ip": "22+,A2s+,K8s+,Q9s+,J9s+,T8s+,98s,87s,ATo+",
        },
        betting={"river": {"bet": "75%", "raise": "a"}},
    )

    # 1. Both players play well.
    fair = runout.solve(spot, target=0.1)
    defence = dict(zip(fair.at(FACING).actions, fair.at(FACING).frequencies, strict=True))
    print(f"against a bet, a good player folds {defence['fold']:.0%}")

    # 2. The same spot, but OOP folds four hands in five, whatever they are, and calls with the rest.
    locked = spot.lock(FACING, {"f": 0.8, "c": 0.2})
    exploiting = runout.solve(locked, target=0.1)

    # 3. Compare IP's decision after OOP has checked: its actions are check and bet.
    before, after = fair.at("x"), exploiting.at("x")
    often = before.frequencies[1], after.frequencies[1]
    print(f"\nIP bets {often[0]:.0%} of its range; against the player who folds too much, {often[1]:.0%}")
    print(f"IP's EV is {before.evs[1]:.1f} chips; against the player who folds too much, {after.evs[1]:.1f}")
    print("\nhand    bets        EV of the bet")
    for hand in HANDS:
        bets = [node.strategy(hand)[BET] for node in (before, after)]
        evs = [node.action_evs(hand)[BET] for node in (before, after)]
        print(f"{hand}  {bets[0]:4.0%} -> {bets[1]:4.0%}  {evs[0]:5.1f} -> {evs[1]:5.1f}")


if __name__ == "__main__":
    main()

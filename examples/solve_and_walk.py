"""Solve a turn and walk through the answer. Run it with `python examples/solve_and_walk.py`.

A solve needs a board, a pot, stacks, two ranges and bet sizes. Its answer is a tree of nodes, and you walk it as a hand
is played: act, act, deal a card, act.
"""

import runout


def main() -> None:
    # 1. The spot. OOP (out of position) acts first, IP (in position) acts last.
    spot = runout.Spot(
        board="Qs Jh 2h 7c",
        pot=100,  # chips in the middle
        stack=200,  # chips that each player has behind
        ranges={"oop": "TT+,AQs+,KQs,QJs,JTs,T9s,AQo+", "ip": "99+,AJs+,KJs+,QTs+,JTs,T9s,98s,AQo+,KQo"},
        betting={"turn": {"bet": "66%", "raise": "a"}, "river": {"bet": "75%", "raise": "a"}},
    )

    # 2. Solve it until no opponent can win more than 0.2% of the pot from either strategy.
    solution = runout.solve(spot, target=0.2)
    print(f"exploitability {solution.exploitability:.2f}% of the pot after {solution.iterations} iterations")

    # 3. The first decision. `frequencies` is the whole range, `strategy` one hand.
    node = solution.root
    print(f"\n{node.player} to act, pot {node.pot:g}")
    for action, share in zip(node.actions, node.frequencies, strict=True):
        print(f"  {action:<8} {share:6.1%} of the range")
    for hand in ("AsAh", "KhQh", "Th9h"):
        mix = ", ".join(f"{action} {share:.0%}" for action, share in node.strategy(hand).items())
        print(f"  {hand}: {mix}; EV {node.ev(hand):.1f} chips, equity {node.equity(hand):.0%}")

    # 4. Follow one line: OOP checks, IP bets, OOP calls, and a heart comes.
    node = node.play("check").play("bet 66").play("call").deal("5h")
    print(f"\nafter {node.line}: pot {node.pot:g}, {node.player} to act")
    print(f"  EV of the ranges: oop {node.evs[0]:.0f} chips, ip {node.evs[1]:.0f} chips")  # they add up to the pot
    print(f"  combos of oop that get here: {node.reach('oop').sum():.1f} of {solution.root.reach('oop').sum():.0f}")

    # 5. Which river cards are best for OOP? Look at each card that can come.
    before = node.back()
    shares = {card: before.deal(card).evs[0] / before.pot for card in before.deals}
    best = sorted(shares, key=lambda card: shares[card], reverse=True)
    print(f"\nbest rivers for oop: {', '.join(f'{card} {shares[card]:.0%}' for card in best[:5])} of the pot")
    print(f"worst: {', '.join(f'{card} {shares[card]:.0%}' for card in best[-5:])}")


if __name__ == "__main__":
    main()

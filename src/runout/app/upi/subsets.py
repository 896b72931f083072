"""Commands about a set of flops, and a report over it."""

from __future__ import annotations

from dataclasses import replace

from runout.app.upi.commands import Answer, command
from runout.app.upi.engine import Engine
from runout.cards.cards import board as parse_board
from runout.cards.cards import cards_text
from runout.cards.suits import canonical_boards
from runout.errors import InputError
from runout.formats.pio_setup import number

MOST_FLOPS = 22_100
COLUMNS = "Flop,Global %,OOP Equity,OOP EV,OOP EQR,IP Equity,IP EV,IP EQR"


@command("add_to_subset WEIGHT ...")
def add_to_subset(engine: Engine, weight: str, *words: str) -> Answer:
    cards, share = parse_board(" ".join(words)), number(weight)
    if len(cards) != 3 or share <= 0:
        raise InputError("a flop of the subset is a weight above 0 and three cards: 12 As 7d 2c")
    if len(engine.subset) >= MOST_FLOPS:
        raise InputError(f"a subset may have {MOST_FLOPS:,} flops")
    engine.subset.append((share, tuple(cards)))
    return None


@command("add_all_flops")
def add_all_flops(engine: Engine) -> Answer:
    flops, copies = canonical_boards(3)
    engine.subset = [
        (float(count), tuple(int(card) for card in flop[::-1])) for flop, count in zip(flops, copies, strict=True)
    ]
    return None


@command("reset_subset")
def reset_subset(engine: Engine) -> Answer:
    engine.subset_before, engine.subset = engine.subset, []
    return None


@command("recover_subset")
def recover_subset(engine: Engine) -> Answer:
    engine.subset = list(engine.subset_before)
    return None


@command("show_subset")
def show_subset(engine: Engine) -> Answer:
    return [f"{weight:g} {cards_text(cards)}" for weight, cards in engine.subset]


@command("show_subsets")
def show_subsets(engine: Engine) -> Answer:
    return show_subset(engine)


@command("report_subset")
def report_subset(engine: Engine) -> Answer:
    """Solve what was set up on every flop of the subset: a table in the columns of PioSOLVER's aggregate report."""
    from runout.cursors.view import realised
    from runout.run.postflop import solve

    if not engine.subset:
        raise InputError("the subset is empty: send add_to_subset first")
    options, total = engine.options, sum(weight for weight, _ in engine.subset)
    rows: list[str] = []
    engine.stop_report.clear()
    for weight, cards in engine.subset:
        spot = replace(engine.setup, board=cards).spot(threads=options.threads, algorithm=options.algorithm)
        target = options.target(spot.pot)
        solution = solve(spot, target=target, iterations=10**6, interrupted=engine.stop_report.is_set)
        if engine.stop_report.is_set():
            raise InputError("stopped")
        view = solution.root.view
        assert view.evs is not None
        assert view.equities is not None
        if not rows:
            rows.append(",".join([COLUMNS, *(f"{action.name.upper()} freq" for action in view.actions)]))
        sides = (
            f"{view.equities[side] * 100:.3f},{view.evs[side]:.3f},{(realised(view, player) or 0) * 100:.3f}"
            for side, player in enumerate(view.players)
        )
        shares = (f"{action.frequency * 100:.3f}" for action in view.actions)
        rows.append(",".join([cards_text(cards), f"{weight / total * 100:.4f}", *sides, *shares]))
    return rows

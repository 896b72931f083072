"""Betting trees: their size against another solver's, the arrays' own rules, and every line through the engine."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runout.errors import InputError
from runout.games import betting
from runout.games.betting import (
    BET,
    CHECK,
    CLOSED,
    FLOP,
    FOLDED,
    NOBODY,
    OOP,
    RAISE,
    RIVER,
    STREET_OVER,
    Action,
    BettingState,
    Rules,
    start,
)
from runout.games.lines import parse_action, split_line
from runout.games.menus import Menu
from runout.games.spot import Betting, Spot
from runout.games.tree import (
    FOLD,
    NO_PARENT,
    RUNOUT,
    SHOWDOWN,
    TO_CHANCE,
    TO_FOLD,
    TO_NODE,
    TO_RUNOUT,
    TO_SHOWDOWN,
    BettingTree,
    LineEnd,
    build,
)
from runout.games.tree_count import require_size

SHORT_STACKS = {"add_all_in": 1.5, "force_all_in": 0.15, "merge": 0.1}


def betting_of(bet: str, raises: str, **more: object) -> Betting:
    streets = {name: {"bet": bet, "raise": raises} for name in ("flop", "turn", "river")}
    return Betting.model_validate(streets | more)


COMMUNITY = Betting.model_validate(
    {
        "flop": {"bet": "52%", "raise": "45%"},
        "turn": {"bet": "55%", "raise": "45%"},
        "river": {"bet": "70%", "raise": "45%"},
    }
)


def tree_of(sizes: Betting, pot: int, stack: int, street: int) -> BettingTree:
    return build(start(Rules.postflop(pot, stack, street)), sizes.by_sizes)


@pytest.mark.parametrize(
    ("sizes", "pot", "stack", "street", "nodes"),
    [
        (betting_of("60%, e, a", "2.5x", **SHORT_STACKS), 200, 900, 3, 27),
        (betting_of("60%, e, a", "2.5x", **SHORT_STACKS), 200, 900, 2, 206),
        (COMMUNITY, 180, 910, 1, 501),
        (betting_of("33%, 75%", "2.5x", **SHORT_STACKS), 60, 300, 1, 1885),
    ],
    ids=["river", "turn", "3-bet pot", "two sizes"],
)
def test_as_many_nodes_as_postflop_solver_builds(sizes: Betting, pot: int, stack: int, street: int, nodes: int) -> None:
    assert tree_of(sizes, pot, stack, street).public_nodes == nodes


def test_a_small_river_by_hand() -> None:
    tree = tree_of(betting_of("50%", "a"), 100, 200, RIVER)
    (river,) = tree.streets
    assert [tree.line_of(0, node) for node in range(river.nodes)] == ["", "x", "x-b50", "x-b50-a", "b50", "b50-a"]
    assert river.player.tolist() == [0, 1, 0, 1, 1, 0]
    assert river.parent_edge.tolist() == [NO_PARENT, 0, 3, 6, 1, 11]
    assert [tree.action_names(0, node) for node in (0, 2, 3)] == [
        ["check", "bet 50"],
        ["fold", "call", "all-in 200"],
        ["fold", "call"],
    ]
    assert tree.find("x-x") == LineEnd(0, TO_SHOWDOWN, 0)
    assert tree.find("b50-f") == LineEnd(0, TO_FOLD, int(river.child[9]))
    assert river.terminal_kind[river.child[9]] == FOLD
    assert river.terminal_folder[river.child[9]] == betting.IP
    assert river.contribution[river.child[9]].tolist() == [50, 0]
    assert tree.counts() == [
        {"street": "river", "entries": 1, "nodes": 6, "actions": 14, "folds": 4, "showdowns": 5, "runouts": 0}
    ]


def test_streets_hang_together() -> None:
    tree = tree_of(betting_of("100%", "a"), 100, 400, FLOP)
    flop, turn, _ = tree.streets
    assert [tree.entry_line(1, entry) for entry in range(3)] == ["x-x|?", "x-b100-c|?", "b100-c|?"]
    assert turn.entry_pot.tolist() == [100, 300, 300]
    assert turn.entry_stack.tolist() == [400, 300, 300]
    assert tree.find("x-x") == LineEnd(0, TO_CHANCE, 0)
    assert tree.find("x-x|7c") == LineEnd(1, TO_NODE, 0)
    assert tree.node("b100-c|Ah|x") == (1, turn.entry_node[2] + 1)
    assert tree.line_of(1, int(turn.entry_node[2]) + 1) == "b100-c|?|x"
    assert tree.find("b100-a-c").kind == TO_RUNOUT
    assert flop.terminal_kind[tree.find("b100-a-c").index] == RUNOUT


def test_all_in_may_be_written_as_a_bet_or_raise_of_its_size() -> None:
    tree = tree_of(betting_of("a", ""), 100, 200, RIVER)
    assert tree.find("a") == tree.find("b200")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("b51", "'b51' is not possible: cannot bet 51 chips, it is not one of this game's sizes: use 50"),
        ("x-x-x", "'x' comes too soon: deal the turn first"),
        ("x|7c|x", "deals a card before betting on street 1 is over"),
        ("q", "unknown action 'q'"),
    ],
)
def test_lines_that_are_not_there(line: str, reason: str) -> None:
    with pytest.raises(InputError) as caught:
        tree_of(betting_of("50%", ""), 100, 200, FLOP).find(line)
    assert reason in str(caught.value)


def test_only_decisions_have_a_node() -> None:
    with pytest.raises(InputError, match="does not end where a player is to act"):
        tree_of(betting_of("50%", ""), 100, 200, FLOP).node("x-x")


def test_a_tree_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("runout.games.tree_count.MAX_NODES", 1000)
    with pytest.raises(InputError, match="the river goes on for more than 200 bets and raises"):
        tree_of(betting_of("1c", "1c"), 100, 10**6, RIVER)


def test_donk_sizes_replace_bets_only_after_a_call_on_the_street_before() -> None:
    sizes = Betting.model_validate(
        {
            "flop": {"bet": "50%", "donk": "10%"},
            "turn": {"bet": "50%", "donk": "20%", "oop": {"donk": "30%"}},
            "river": {"bet": "50%", "donk": ""},
        }
    )
    tree = tree_of(sizes, 100, 10**4, FLOP)

    def names(line: str) -> list[str]:
        return tree.action_names(*tree.node(line))

    assert names("") == ["check", "bet 50"]  # nothing came before: no donk
    assert names("x-b50-c|?") == ["check", "bet 60"]
    assert names("x-b50-c|?|x") == ["check", "bet 100"]
    assert names("b50-c|?") == ["check", "bet 100"]
    assert names("x-x|?") == ["check", "bet 50"]
    assert names("x-b50-c|?|x-b100-c|?") == ["check"]
    assert names("x-b50-c|?|x-x|?") == ["check", "bet 100"]


def test_players_may_differ_and_raises_may_be_capped() -> None:
    sizes = betting_of("50%", "3x", river={"bet": "50%", "raise": "3x", "ip": {"bet": "25%, a", "raise": ""}})
    tree = tree_of(sizes, 100, 10**4, RIVER)
    assert tree.action_names(*tree.node("x")) == ["check", "bet 25", "all-in 10000"]
    assert tree.action_names(*tree.node("b50")) == ["fold", "call"]
    assert tree.action_names(*tree.node("x-b25")) == ["fold", "call", "raise to 75"]
    for most, line in ((0, "b50"), (1, "b50-r150"), (2, "b50-r150-r450")):
        capped = build(start(Rules.postflop(100, 10**4, RIVER, cap=most + 1)), betting_of("50%", "3x").by_sizes)
        assert capped.action_names(*capped.node(line)) == ["fold", "call"]


def limit_menu(state: BettingState) -> list[betting.Action]:
    legal = state.legal()
    kinds = [betting.FOLD, betting.CALL] if legal.call else [CHECK]
    actions = [betting.Action(kind) for kind in kinds]
    if legal.bet_or_raise:
        actions.append(betting.Action(betting.RAISE if state.facing else betting.BET, legal.smallest))
    return [state.verify(action) for action in actions]


def test_limit_trees_with_blinds_come_from_the_same_builder() -> None:
    rules = Rules.limit(stack=100, blinds=(2, 1), bets=(2, 2), caps=(3, 3))
    tree = build(start(rules), limit_menu)
    preflop, flop = tree.streets
    assert tree.starting_pot == 0
    assert preflop.player[0] == betting.IP
    assert (preflop.nodes, preflop.entries, flop.entries) == (8, 1, 7)
    assert flop.player[flop.entry_node[:-1]].tolist() == [OOP] * 7
    assert preflop.contribution[preflop.terminal_kind == FOLD].min() == 1
    check_consistent(tree)


def check_consistent(tree: BettingTree) -> None:
    """What the arrays promise each other."""
    for index, street in enumerate(tree.streets):
        assert street.entry_node[0] == 0
        assert street.entry_node[-1] == street.nodes
        assert (np.diff(street.entry_node) > 0).all()
        assert street.first_edge[0] == 0
        assert street.first_edge[-1] == street.edges
        assert (np.diff(street.first_edge) > 0).all()
        owner = street.edge_owner()
        for kind, size in (
            (TO_NODE, street.nodes - street.entries),
            (TO_CHANCE, tree.streets[index + 1].entries if index + 1 < len(tree.streets) else 0),
        ):
            children = np.sort(street.child[street.child_kind == kind])
            assert len(children) == size
            assert len(np.unique(children)) == size
        inner = np.flatnonzero(street.child_kind == TO_NODE)
        assert (street.parent_edge[street.child[inner]] == inner).all()
        assert (street.child[inner] > owner[inner]).all()
        assert (street.player[street.child[inner]] != street.player[owner[inner]]).all()
        ends = np.isin(street.child_kind, (TO_FOLD, TO_SHOWDOWN, TO_RUNOUT))
        assert (street.child[ends] == np.arange(street.terminals)).all()
        expected = {TO_FOLD: FOLD, TO_SHOWDOWN: SHOWDOWN, TO_RUNOUT: RUNOUT}
        assert [expected[kind] for kind in street.child_kind[ends]] == street.terminal_kind.tolist()
        roots = street.parent_edge == NO_PARENT
        assert np.flatnonzero(roots).tolist() == street.entry_node[:-1].tolist()


def replayed(tree: BettingTree, line: str) -> BettingState:
    state = tree.start
    for number, tokens in enumerate(split_line(line)[0]):
        state = state.next_street() if number else state
        for word in tokens:
            state = state.act(parse_action(word))
    return state


def check_replays(tree: BettingTree) -> None:
    """Every decision, deal and terminal is what the engine says of its line."""
    for index, street in enumerate(tree.streets):
        for entry in range(street.entries):
            state = replayed(tree, tree.entry_line(index, entry))
            assert state.pot == street.entry_pot[entry]
            assert state.behind(0) == street.entry_stack[entry]
        for node in range(street.nodes):
            line = tree.line_of(index, node)
            assert tree.node(line) == (index, node)
            state = replayed(tree, line)
            assert state.player == street.player[node]
            for edge, action in enumerate(street.actions(node), street.first_edge[node]):
                assert state.verify(action) == action
                after, end = state.act(action), street.child[edge]
                if after.over:
                    assert street.contribution[end].tolist() == list(after.spent)
                    assert street.terminal_folder[end] == after.folder
                    assert (after.folder != NOBODY) == (after.status == FOLDED)
                    runout = after.status == CLOSED and street.street < after.rules.last_street
                    assert (street.terminal_kind[end] == RUNOUT) == runout
                else:
                    assert (after.status == STREET_OVER) == (street.child_kind[edge] == TO_CHANCE)


@settings(max_examples=100, deadline=None)
@given(
    st.sampled_from(["50%", "33%, a", "e", "100%, 2e", "7c", ""]),
    st.sampled_from(["a", "60%", "2.5x", "e, a", ""]),
    st.tuples(st.floats(0, 3), st.floats(0, 1), st.floats(0, 1)),
    st.integers(1, 60),
    st.integers(1, 150),
    st.sampled_from([(street, cap) for street in (1, 2, 3) for cap in (0, 1, 2)]),
)
def test_random_trees(
    bet: str, raises: str, thresholds: tuple[float, float, float], pot: int, stack: int, where: tuple[int, int]
) -> None:
    short = dict(zip(("add_all_in", "force_all_in", "merge"), thresholds, strict=True))
    street, cap = where
    tree = build(start(Rules.postflop(pot, stack, street, cap + 1)), betting_of(bet, raises, **short).by_sizes)
    check_consistent(tree)
    if tree.nodes < 400:
        check_replays(tree)


def spot_on(board: str, pot: int, stack: int, betting: dict[str, dict[str, str]]) -> Spot:
    return Spot(board=board, pot=pot, stack=stack, ranges={"oop": "QQ+", "ip": "QQ+"}, betting=betting)


@pytest.mark.parametrize("board", ["Qs Jh 2h", "Qs Jh 2h 3c", "Qs Jh 2h 3c 4d"])
@pytest.mark.parametrize("sizes", ["50%", "33%, 75%, 2e, a", "20c"])
def test_trees_are_counted_as_they_are_built(board: str, sizes: str) -> None:
    betting = {"flop": {"bet": sizes, "raise": sizes}, "turn": {"bet": sizes}, "river": {"bet": sizes, "raise": "2.5x"}}
    if len(board.split()) == 3:
        betting = {street: {"bet": "60%"} for street in betting} | {"flop": {"bet": sizes}}
    game = spot_on(board, pot=20, stack=90, betting=betting).game()
    tree = game.tree()
    assert require_size(game.start(), game.menu) == [street.nodes for street in tree.streets]
    assert require_size(game.start(), lambda state: game.menu(state)) == [street.nodes for street in tree.streets]


def test_runaway_trees_are_refused_before_they_are_built(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = [0]
    menu = Menu.__call__

    def counted(self: Menu, state: BettingState) -> list[Action]:
        asked[0] += 1
        return menu(self, state)

    monkeypatch.setattr(Menu, "__call__", counted)
    chips = {street: {"bet": "1c", "raise": "1c"} for street in ("flop", "turn", "river")}
    with pytest.raises(
        InputError, match=r"the flop goes on for more than 200 bets and raises: give larger sizes there"
    ):
        spot_on("Qs Jh 2h", pot=10, stack=1_000_000, betting=chips).tree()
    assert asked[0] < 1000
    monkeypatch.setattr("runout.games.tree_count.MAX_NODES", 200_000)
    sizes = {street: {"bet": "25%, 50%, 100%", "raise": "25%, 50%, 100%"} for street in chips}
    with pytest.raises(
        InputError, match=r"passes 200,000 nodes on the river, where up to 3 bets or raises are offered"
    ):
        spot_on("Qs Jh 2h", pot=100, stack=3000, betting=sizes).tree()
    assert asked[0] < 35_000, "nodes are counted without being asked one by one"


def test_lines_share_what_was_played_before() -> None:
    state = spot_on("Qs Jh 2h 3c 4d", pot=10, stack=500, betting={"river": {"bet": "1c", "raise": "1c"}}).game().start()
    first = state.act(Action(BET, 1))
    second = first.act(Action(RAISE, 2))
    assert second.played == (*first.played, Action(RAISE, 2)) == (Action(BET, 1), Action(RAISE, 2))
    assert second.trail is not None
    assert second.trail.before is first.trail

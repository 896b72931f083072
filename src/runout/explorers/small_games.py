"""Views of solved small games: Kuhn, Leduc, OpenSpiel's and one's own. Hands are listed; chips are those won."""

from __future__ import annotations

import re
from functools import cached_property

import numpy as np

from runout.cursors.game_solution import GameSolution
from runout.cursors.hand_means import mean
from runout.cursors.infosets import InfoSetRow
from runout.cursors.kinds import kind_of
from runout.cursors.view import (
    CHANCE,
    DECISION,
    FROM_START,
    LIST,
    TERMINAL,
    ActionView,
    HandsView,
    NodeView,
    StepView,
    Summary,
)
from runout.errors import InputError
from runout.explorers.parts import NOBODY_HERE, accuracy_of, range_actions, summary_of
from runout.explorers.public_lines import PublicNode, PublicTree, hand_order, history_values, pot
from runout.games.betting import ACTION_NAMES
from runout.games.lines import parse_action, split_line
from runout.solvers.game_response import plan

PLAYERS = ("player 1", "player 2")  # numbers 0 and 1 of the game


class GameExplorer:
    """A `view.Explorer` of a `GameSolution`."""

    def __init__(self, solution: GameSolution) -> None:
        self.solution = solution

    @property
    def summary(self) -> Summary:
        one = self.solution
        settings = {"game": one.game.name, "algorithm": one.algorithm, "seed": one.seed}
        return summary_of(kind_of(one).names[0], settings, one.reached)

    @cached_property
    def tree(self) -> PublicTree:
        return PublicTree(self.solution.game)

    @cached_property
    def _rows(self) -> dict[str, InfoSetRow]:
        return {row.infoset.key: row for row in self.solution.rows()}

    @cached_property
    def _histories(self) -> tuple[np.ndarray, np.ndarray]:
        return history_values(self.solution.game, self.solution.strategy)

    def at(self, line: str) -> NodeView:
        path = self.tree.path(line)
        node = path[-1][0]
        hands = (self._hands(node),) if node.kind == DECISION else ()
        chips, owed = self._chips(node)
        reach, value = (part[node.nodes] for part in self._histories)
        worth = float(mean(value, reach))
        return NodeView(
            line=node.line,
            kind=node.kind,
            player=PLAYERS[node.player] if node.kind == DECISION else None,
            players=PLAYERS,
            street=_street(node),
            board=tuple(split_line(node.line)[1]),
            pot=chips,
            stacks=None,
            to_call=owed,
            unit="chips",
            layout=LIST,
            actions=self._actions(node),
            hands=hands,
            evs=(worth, -worth),
            equities=None,
            strip=self._strip(path),
            ending=self._ending(node),
            deals=tuple(node.deals),
            deal_count=1 if node.kind == CHANCE else 0,
            notes=() if float(reach.sum()) > 0 else (NOBODY_HERE,),
            ev_from=FROM_START,
            accuracy=accuracy_of(self.solution.reached, chips, self.solution.game.ante),
        )

    def strip(self, line: str) -> tuple[StepView, ...]:
        return self._strip(self.tree.path(line))

    def _strip(self, path: list[tuple[PublicNode, str | None]]) -> tuple[StepView, ...]:
        return tuple(self._step(node, taken) for node, taken in path)

    def _chips(self, node: PublicNode) -> tuple[float, float]:
        if not self.tree.lines_in_texts:  # another game's words
            return float("nan"), 0.0
        return pot(node.line, self.solution.game.ante)

    def _ending(self, node: PublicNode) -> str | None:
        if node.kind != TERMINAL or not self.tree.lines_in_texts:
            return None
        return "fold" if split_line(node.line)[0][-1][-1:] == ["f"] else "showdown"

    def _hands(self, node: PublicNode) -> HandsView:
        groups: dict[str, list[int]] = {}
        for index, name in node.infosets.items():
            groups.setdefault(name, []).append(index)
        names = sorted(groups, key=hand_order)
        count, h = len(node.tokens), len(names)
        weight, combos, met = np.zeros(h), np.zeros(h), np.zeros(h)
        strategy, action_evs, ev = np.zeros((count, h)), np.full((count, h), np.nan), np.full(h, np.nan)
        for place, members in enumerate(groups[name] for name in names):
            rows = [self._rows[self.solution.game.infosets[index].key] for index in members]
            outside = np.array([self._outside[index] for index in members])
            reach = np.array([row.reach for row in rows])
            share = reach / reach.sum() if reach.sum() > 0 else np.full(len(rows), 1 / len(rows))
            rows_of = [node.tokens.index(word) for word in self.tree.tokens[members[0]]]
            strategy[rows_of, place] = share @ np.array([row.probabilities for row in rows])
            action_evs[rows_of, place] = share @ np.array([row.action_evs for row in rows])
            ev[place] = share @ np.array([row.ev for row in rows])
            combos[place], met[place] = len(rows), outside.mean()
            weight[place] = reach.sum() / outside.sum() if outside.sum() > 0 else 0.0
        none = np.full(h, np.nan)
        shown = names if self.tree.lines_in_texts else short_names(names)
        return HandsView(
            PLAYERS[node.player], shown, np.arange(h), weight, combos, met, strategy, action_evs, ev, none, none
        )

    @cached_property
    def _outside(self) -> np.ndarray:
        """float64 [infosets]: probability that chance and the opponent lead there."""
        game, found = self.solution.game, np.zeros(len(self.solution.game.infosets))
        for player in range(2):
            other = plan(game, self.solution.strategy, 1 - player)
            mine = np.flatnonzero(game.player == player)
            odds = game.chance_reach[mine] * other[game.sequence[1 - player, mine]]
            found += np.bincount(game.infoset[mine], odds, len(found))
        return found

    def _actions(self, node: PublicNode) -> tuple[ActionView, ...]:
        hands = self._hands(node) if node.kind == DECISION else None
        frequencies, evs = range_actions(hands, len(node.tokens))
        return tuple(
            ActionView(word, name, _kind(name), 1.0 if _kind(name) in ("bet", "raise") else 0.0, frequency, ev)
            for word, name, frequency, ev in zip(node.tokens, node.names, frequencies, evs, strict=True)
        )

    def _step(self, node: PublicNode, taken: str | None) -> StepView:
        return StepView(
            line=node.line,
            kind=node.kind,
            player=PLAYERS[node.player] if node.kind == DECISION else None,
            street=_street(node),
            pot=self._chips(node)[0],
            actions=self._actions(node),
            taken=taken,
            cards=(taken,) if taken is not None and node.kind == CHANCE else (),
            ending=self._ending(node),
        )


def _street(node: PublicNode) -> str:
    return f"round {len(split_line(node.line)[0])}"


def _kind(name: str) -> str:
    """What colours go by; 'call' for words that are none of poker's."""
    word = name.lower().split()[0]
    if word in ACTION_NAMES:
        return word
    if word == "pass":
        return "check"
    try:
        return ACTION_NAMES[parse_action(name).kind]
    except InputError:
        return "call"


def short_names(texts: list[str]) -> list[str]:
    """Texts without the words that all of them have in the same place, unless that leaves nothing of one."""
    words = [re.findall(r"\[[^\]]*\]|\S+", text) for text in texts]
    if len({len(row) for row in words}) != 1:
        return texts
    telling = [place for place in range(len(words[0])) if len({row[place] for row in words}) > 1]
    return [" ".join(row[place] for place in telling) or text for row, text in zip(words, texts, strict=True)]

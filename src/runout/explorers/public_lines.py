"""The public tree of a small game: what everybody at the table has seen, found from a compiled game.

Where texts of information sets are a hand and a line, `K x-b2-c|Q|x`, the lines are theirs, board cards included.
Elsewhere (most of OpenSpiel's games) a line is the players' actions alone, and what chance showed is part of the hand.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import numpy as np

from runout.cards.cards import RANKS
from runout.cursors.view import CHANCE, DECISION, TERMINAL
from runout.errors import InputError
from runout.games import protocol
from runout.games.compiled import NO_INFOSET, CompiledGame, InfoSet
from runout.games.lines import join_line, parse_action, split_line, token

_UNSIZED = {"bet": "b", "raise": "r", "pass": "p"}


@dataclass(slots=True)
class PublicNode:
    """What has happened in public, and what can happen next."""

    line: str
    kind: str = TERMINAL
    player: int = -1
    names: tuple[str, ...] = ()  # of actions
    tokens: tuple[str, ...] = ()
    deals: list[str] = field(default_factory=list)  # at a chance node
    infosets: dict[int, str] = field(default_factory=dict)  # of the player who acts, with the name of the hand
    nodes: list[int] = field(default_factory=list)  # of the compiled game that look like this


class PublicTree:
    """Public nodes of a game by their lines."""

    def __init__(self, game: CompiledGame) -> None:
        self.game = game
        self.tokens = [_tokens(infoset.actions) for infoset in game.infosets]
        self.lines_in_texts = True
        try:
            lines = self._lines()
        except ValueError:  # texts are not hands and lines
            self.lines_in_texts = False
            lines = self._lines()
        self.line_of = lines  # of every node of the game
        self.nodes: dict[str, PublicNode] = {}
        for node, line in enumerate(lines):
            self._add(node, line)
        for line in list(self.nodes):
            before, _, card = line.rpartition("|")
            if card and "-" not in card and before in self.nodes and self.nodes[before].kind == CHANCE:
                self.nodes[before].deals.append(card)
                self.nodes[before].deals.sort(key=hand_order)

    def _lines(self) -> list[str]:
        """The line of every node of the game; ValueError where texts do not hold lines that agree with the play."""
        game = self.game
        lines = [""] * len(game.player)
        for node in range(len(lines)):
            above = int(game.parent[node])
            acted = above >= 0 and game.player[above] >= 0
            if acted:
                word = self.tokens[game.infoset[above]][node - int(game.first_child[above])]
                lines[node] = _extended(lines[above], word)
            elif above >= 0:
                lines[node] = lines[above]
            if self.lines_in_texts and game.infoset[node] != NO_INFOSET:
                own = _text_line(game.infosets[game.infoset[node]])
                dealt = not acted and own.startswith(f"{lines[node]}|")
                if own != lines[node] and not dealt:
                    raise ValueError(own)
                lines[node] = own
        return lines

    def _add(self, node: int, line: str) -> None:
        game = self.game
        found = self.nodes.setdefault(line, PublicNode(line))
        found.nodes.append(node)
        if (index := int(game.infoset[node])) != NO_INFOSET:
            infoset = game.infosets[index]
            if found.kind != DECISION:  # a deal that nobody sees comes before it
                found.kind, found.player, found.nodes = DECISION, infoset.player, [node]
            if infoset.player == found.player:
                found.infosets[index] = infoset.text.partition(" ")[0] if self.lines_in_texts else infoset.text
                more = [i for i, word in enumerate(self.tokens[index]) if word not in found.tokens]
                found.tokens += tuple(self.tokens[index][i] for i in more)
                found.names += tuple(infoset.actions[i] for i in more)
        elif game.player[node] == protocol.CHANCE and found.kind == TERMINAL:
            found.kind = CHANCE

    def path(self, line: str) -> list[tuple[PublicNode, str | None]]:
        """The nodes from the root to an address, each with what leads on from it; InputError names a wrong step."""
        streets, cards = split_line(line)
        node, steps = self.nodes[""], []
        done: list[list[str]] = []
        for number, words in enumerate(streets):
            done.append([])
            moves = [(True, cards[number - 1])] if number else []
            for dealt, word in [*moves, *((False, word) for word in words)]:
                step = _deal(node, word) if dealt else _action(node, word)
                steps.append((node, step))
                if not dealt:
                    done[-1].append(step)
                node = self.nodes[join_line(done, [card for at, card in steps if at.kind == CHANCE])]
        return [*steps, (node, None)]


def _action(node: PublicNode, word: str) -> str:
    wanted = word.strip().lower()
    for own, name in zip(node.tokens, node.names, strict=True):
        if wanted in (own.lower(), name.lower()):
            return own
    what = f"use {', '.join(node.tokens)}" if node.tokens else "deal a card" if node.deals else "the game is over"
    raise InputError(f"no action {word!r} after {node.line or 'the start'!r}: {what}")


def _deal(node: PublicNode, word: str) -> str:
    for card in node.deals:
        if card.lower() == word.strip().lower():
            return card
    what = f"use {', '.join(node.deals)}" if node.deals else "no card comes there"
    raise InputError(f"no card {word!r} after {node.line or 'the start'!r}: {what}")


def _extended(line: str, word: str) -> str:
    if not line:
        return word
    begun = "|" not in line or len(line.split("|")) % 2 == 1
    return f"{line}-{word}" if begun else f"{line}|{word}"


def _text_line(infoset: InfoSet) -> str:
    """The line in the text of an information set, in its normal form."""
    try:
        return join_line(*split_line(infoset.text.partition(" ")[2]))
    except InputError as error:
        raise ValueError(str(error)) from None


def _tokens(names: tuple[str, ...]) -> tuple[str, ...]:
    """Actions as they stand in a line; their whole names where short ones would clash."""
    found = tuple(_token(name) for name in names)
    return found if len(set(found)) == len(found) else tuple(_plain(name) for name in names)


def _token(name: str) -> str:
    if name.lower() in _UNSIZED:
        return _UNSIZED[name.lower()]
    try:
        return token(parse_action(name))
    except InputError:
        return _plain(name)


def _plain(name: str) -> str:
    return re.sub(r"[\s|-]+", "_", name.strip()) or "_"


def pot(line: str, ante: float) -> tuple[float, float]:
    """Chips in the middle and chips to call after a line of x, c, f, bN and rN; a bet without a size is one ante."""
    paid = 2 * ante
    owed = 0.0
    for words in split_line(line)[0]:
        bets = [0.0, 0.0]
        for turn, word in enumerate(words):
            if word == "c":
                bets[turn % 2] = max(bets)
            elif word[0] in "br":
                bets[turn % 2] = float(word[1:]) if word[1:] else max(bets) + ante
        paid += sum(bets)
        owed = max(bets) - bets[len(words) % 2] if not words or words[-1] != "c" else 0.0
    return paid, owed


def history_values(game: CompiledGame, strategy: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """float64 [nodes] each: probability of every history, and what it is worth to player 0."""
    odds = game.chance.copy()
    acted = np.flatnonzero(game.parent >= 0)
    above = game.parent[acted]
    acted, above = acted[game.player[above] >= 0], above[game.player[above] >= 0]
    number = acted - game.first_child[above]
    odds[acted] = [strategy[game.infosets[game.infoset[a]].sequences[s]] for a, s in zip(above, number, strict=True)]
    reach, values = odds.copy(), game.payoff.copy()
    levels = list(zip(game.levels[1:-1], game.levels[2:], strict=True))
    for start, end in levels:
        reach[start:end] *= reach[game.parent[start:end]]
    for start, end in reversed(levels):
        np.add.at(values, game.parent[start:end], odds[start:end] * values[start:end])
    return reach, values


def hand_order(name: str) -> tuple[int, list[int], str]:
    """Where hands stand in a list: cards high ones first, other texts by the alphabet."""
    ranks = [RANKS.find(letter) for letter in name[:1]]
    return (0, [-rank for rank in ranks], name) if len(name) <= 2 and min(ranks, default=-1) >= 0 else (1, [], name)

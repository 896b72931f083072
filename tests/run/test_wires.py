"""ACPC and Slumbot: messages as the formats say, matches on the loopback address, and other ends that break rules."""

from __future__ import annotations

import json
import socket
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

import numpy as np
import pytest

from runout.cards.cards import cards
from runout.errors import InputError
from runout.formats.wire import read_acpc, read_betting, write_acpc, write_action, write_betting, write_cards
from runout.games.betting import CALL, CHECK, CLOSED, FOLD, FOLDED, RAISE, Action, Rules, start
from runout.run.acpc import AcpcClient, Dealer, WireError
from runout.run.slumbot import SlumbotClient

RULES = Rules.no_limit(20000, 50, 100)


class RandomSitting:
    """Any legal action."""

    def __init__(self, seed=0):
        self.rng = np.random.default_rng(seed)

    def decide(self, state, board, hole, rng):
        assert len(hole) == 2
        legal = state.legal()
        draw = self.rng.random()
        if legal.fold and draw < 0.1:
            return state.verify(Action(FOLD)), ""
        if legal.largest and draw > 0.6:
            amount = int(self.rng.integers(legal.smallest, min(legal.largest, 4 * legal.smallest) + 1))
            return state.verify(Action(RAISE if state.facing else 3, amount)), ""
        return state.verify(Action(CALL if legal.call else CHECK)), ""


def _random_states(seed, count=200):
    player = RandomSitting(seed)
    for _ in range(count):
        state = start(RULES)
        while not state.over:
            state = state.play(player.decide(state, (), (0, 1), None)[0])
            if state.status == 1:
                state = state.next_street()
            yield state


def test_the_table_of_chip_conventions():
    """SB 50, BB 100: SB opens to 300, BB calls; flop: BB checks, SB bets 400."""
    state = start(RULES).act(Action(RAISE, 300)).act(Action(CALL)).next_street().act(Action(CHECK)).act(Action(3, 400))
    assert write_betting(state) == "r300c/cr700"
    assert write_betting(state, slumbot=True) == "b300c/kb400"


def test_the_sample_of_the_protocol_is_read():
    seen = read_acpc("MATCHSTATE:0:30:cc/r250c/r500c/r1250c:9s8h|9c6h/8c8d5c/6s/2d\r\n", RULES)
    assert (seen.position, seen.hand, seen.state.status, seen.state.pot) == (0, 30, CLOSED, 2500)
    assert seen.holes == (tuple(cards("9s8h")), tuple(cards("9c6h")))
    assert seen.board == tuple(cards("8c8d5c6s2d"))
    assert seen.state.returns(0) == (1250.0, -1250.0)
    assert write_acpc(0, 30, seen.state, seen.holes, seen.board).endswith(":9s8h|9c6h/8c8d5c/6s/2d")


def test_an_early_all_in_has_all_streets():
    state = read_betting("r20000c///", RULES)
    assert (state.status, state.pot) == (CLOSED, 40000)
    assert write_betting(state) == "r20000c///"
    assert write_betting(read_betting("b20000c///", RULES, slumbot=True), slumbot=True) == "b20000c///"


@pytest.mark.parametrize("slumbot", [False, True])
def test_every_hand_is_read_as_it_is_written(slumbot):
    for state in _random_states(1):
        again = read_betting(write_betting(state, slumbot), RULES, slumbot)
        assert again == state
        assert again.played == state.played


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("hello", "no match state"),
        ("MATCHSTATE:2:0::9s8h|", "position 2"),
        ("MATCHSTATE:0:0:r150:9s8h|", "cannot raise to 150"),
        ("MATCHSTATE:0:0:cq:9s8h|", "unknown action 'q'"),
        ("MATCHSTATE:0:0:cc/:9s8h|", "0 board cards"),
        ("MATCHSTATE:0:0::9s9s|", "a card twice"),
        ("MATCHSTATE:0:0::9s8h", "1 players"),
        ("MATCHSTATE:0:0:fc:9s8h|", "nobody can act"),
        ("MATCHSTATE:0:0:c/c:9s8h|", "streets"),
    ],
)
def test_what_cannot_be_is_refused_with_the_reason(line, why):
    with pytest.raises(InputError, match=why):
        read_acpc(line, RULES)


@contextmanager
def _running(target, *arguments):
    """Runs in a thread; what it returned or raised is in the list."""
    found: list[object] = []

    def go():
        try:
            found.append(target(*arguments))
        except Exception as error:
            found.append(error)

    thread = threading.Thread(target=go, daemon=True)
    thread.start()
    yield found
    thread.join(20)
    assert not thread.is_alive()


def test_two_clients_play_a_match_at_the_dealer(tmp_path):
    logs = [tmp_path / name for name in ("dealer.log", "one.log", "two.log")]
    dealer = Dealer(RULES, 60, seed=3, names=("one", "two"), log=logs[0], seconds=20)
    clients = [AcpcClient(RandomSitting(n), RULES, logs[1 + n], name=("one", "two")[n]) for n in range(2)]
    at = "127.0.0.1"
    with (
        _running(clients[0].run, at, dealer.ports[0]) as first,
        _running(clients[1].run, at, dealer.ports[1]) as second,
    ):
        result = dealer.run()
    assert result.hands == first[0].hands == second[0].hands == 60
    assert result.won == (first[0].won[0], second[0].won[0])  # each counts its own chips by itself
    assert result.won[0] == -result.won[1] != 0
    lines = logs[0].read_text().splitlines()
    assert lines[-1] == f"SCORE:{result.won[0]:g}|{result.won[1]:g}:one|two"
    states = [line.split(":") for line in lines if line.startswith("STATE")]
    assert [state[5] for state in states[:2]] == ["one|two", "two|one"]  # blinds move
    assert sum(float(s[4].split("|")[s[5].split("|").index("one")]) for s in states) == result.won[0]
    mine = [line.split(":")[2] for line in logs[1].read_text().splitlines() if line.startswith("STATE")]
    assert mine == [state[2] for state in states]


def _player(port, answers):
    """A program that plays one way; `answers`: from the state to a whole line, or None to leave."""
    with socket.create_connection(("127.0.0.1", port)) as at:
        at.sendall(b"VERSION:2.0.0\r\n")
        rest = b""
        while True:
            more = at.recv(4096)
            if not more:
                return
            rest += more
            while b"\r\n" in rest:
                line, _, rest = rest.partition(b"\r\n")
                seen = read_acpc(line.decode(), RULES)
                if not seen.state.over and seen.state.player == seen.position:
                    said = answers(line.decode(), seen)
                    if said is None:
                        return
                    at.sendall(said.encode() + b"\r\n")


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        (lambda line, seen: f"{line}:r101", "illegal action in hand 2: 'r101'"),
        (lambda line, seen: f"{line}:zz", "illegal action in hand 2: unknown action"),
        (lambda line, seen: f"{line}:cc", "illegal action in hand 2: 'cc' is not one action"),
        (lambda line, seen: f"nonsense:{seen.hand}:c", "answered 'nonsense:2:c'"),
        (lambda line, seen: None, "left in the middle of hand 2"),
    ],
)
def test_a_player_that_breaks_the_rules_ends_the_match_and_loses_nothing(tmp_path, bad, why):
    log = tmp_path / "match.log"
    dealer = Dealer(RULES, 10, names=("good", "bad"), log=log, seconds=20)

    def badly(line, seen):
        return bad(line, seen) if seen.hand == 2 else f"{line}:c"

    with (
        _running(_player, dealer.ports[0], lambda line, seen: f"{line}:c"),
        _running(_player, dealer.ports[1], badly),
        pytest.raises(WireError, match=why) as error,
    ):
        dealer.run()
    assert "2 hands that were over before are kept in" in str(error.value)
    assert "\n" not in str(error.value)
    assert sum(line.startswith("STATE") for line in log.read_text().splitlines()) == 2


def _dealer(lines):
    """A dealer that says these lines whatever it hears, and then closes; its port."""
    at = socket.create_server(("127.0.0.1", 0))

    def go():
        connection, _ = at.accept()
        with at, connection:
            for line in lines:
                connection.sendall(line.encode() + b"\r\n")
            connection.settimeout(5)
            connection.recv(4096)

    threading.Thread(target=go, daemon=True).start()
    return at.getsockname()[1]


ONE_HAND = ["# a comment", "MATCHSTATE:0:0::9s8h|", "MATCHSTATE:0:0:f:9s8h|"]


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        (["MATCHSTATE:1:1::|9c6h", "MATCHSTATE:1:1:r10:|9c6h"], "cannot raise to 10"),
        (["MATCHSTATE:0:1::9s8h|", "MATCHSTATE:0:1:c:9s7h|"], "cards of hand 1 are others"),
        (["MATCHSTATE:0:1:r300:9s8h|", "MATCHSTATE:0:1:r500:9s8h|"], "betting of hand 1 is another"),
        (["MATCHSTATE:0:1::9s8h|", "MATCHSTATE:0:2::9s8h|"], "hand 1 is not over"),
        (["MATCHSTATE:0:1::9s8h|"], "closed in the middle of hand 1"),
    ],
)
def test_a_dealer_that_says_what_cannot_be(tmp_path, lines, why):
    log = tmp_path / "client.log"
    client = AcpcClient(RandomSitting(), RULES, log)
    with pytest.raises(WireError, match=why) as error:
        client.run("127.0.0.1", _dealer([*ONE_HAND, *lines]))
    assert "1 hand that were over before are kept" in str(error.value)
    assert log.read_text().splitlines()[1] == "STATE:0:f:9s8h|:50|-50:Runout|opponent"


class _Slumbot:
    """A server as the API is described; `lie` changes an answer before it is sent."""

    def __init__(self, lie=lambda hand, said: said):
        self.rng, self.lie, self.hand, self.hands = np.random.default_rng(5), lie, 0, RandomSitting(9)
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                said = outer.answer(self.path.rpartition("/")[2], body)
                said = outer.lie(outer.hand, said)
                sent = said.encode() if isinstance(said, str) else json.dumps(said).encode()
                self.send_response(200)
                self.end_headers()
                self.wfile.write(sent)

            def log_message(self, *arguments):
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/slumbot/api"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def answer(self, what, body):
        if what == "new_hand":
            self.hand += 1
            self.client, deal = self.hand % 2, [int(c) for c in self.rng.permutation(52)[:9]]
            self.holes, self.board, self.state = (deal[:2], deal[2:4]), deal[4:], start(RULES)
        else:
            assert body["token"] == f"t{self.hand}"
            text = write_betting(self.state, slumbot=True) + body["incr"]
            self.state = read_betting(text, RULES, slumbot=True)
        while not self.state.over and self.state.player != self.client:
            action = self.hands.decide(self.state, (), (0, 1), None)[0]
            text = write_betting(self.state, slumbot=True) + write_action(self.state, action, slumbot=True)
            self.state = read_betting(text, RULES, slumbot=True)
        names = write_cards(self.state, self.holes, self.board)
        hole, _, board = names.partition("/")
        split = [[part[i : i + 2] for i in range(0, len(part), 2)] for part in hole.split("|")]
        board = board.replace("/", "")
        said = {
            "token": f"t{self.hand}",
            "action": write_betting(self.state, slumbot=True),
            "client_pos": self.client,
            "hole_cards": split[self.client],
            "board": [board[i : i + 2] for i in range(0, len(board), 2)],
        }
        if self.state.over:
            winner = -1
            if self.state.status != FOLDED:
                from runout.cards.evaluator import strength

                first, second = (strength([*one, *self.board]) for one in self.holes)
                winner = -1 if first == second else int(second > first)
            won = self.state.returns(winner)[self.client]
            said |= {"winnings": won, "bot_hole_cards": split[1 - self.client]}
            self.won = getattr(self, "won", 0.0) + won
        return said


def test_hands_against_a_slumbot_server(tmp_path):
    server = _Slumbot()
    result = SlumbotClient(RandomSitting(), server.url, tmp_path / "slumbot.log").run(40)
    assert result.hands == 40
    assert result.won[0] == server.won
    assert len((tmp_path / "slumbot.log").read_text().splitlines()) == 42


def _at_hand_2(**changes):
    return lambda hand, said: said | changes if hand == 2 else said


@pytest.mark.parametrize(
    ("lie", "why"),
    [
        (lambda hand, said: said | {"winnings": 123} if hand == 2 and "winnings" in said else said, "123 was won"),
        (_at_hand_2(action="b100"), "cannot be in hand 1"),
        (_at_hand_2(client_pos=7), "client_pos is 7"),
        (_at_hand_2(hole_cards=["Ax", "9d"]), "hole_cards of hand 1"),
        (_at_hand_2(error_msg="go away"), "refused new_hand: go away"),
        (lambda hand, said: "<html>" if hand == 2 else said, "no JSON"),
    ],
)
def test_a_slumbot_server_that_lies(tmp_path, lie, why):
    log = tmp_path / "slumbot.log"
    with pytest.raises(WireError, match=why) as error:
        SlumbotClient(RandomSitting(), _Slumbot(lie).url, log).run(5)
    assert "1 hand that were over before are kept" in str(error.value)
    assert sum(line.startswith("STATE") for line in log.read_text().splitlines()) == 1


def test_a_server_that_is_not_there(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with pytest.raises(InputError, match="cannot connect"):
        AcpcClient(RandomSitting(), RULES).run("127.0.0.1", port)
    with pytest.raises(WireError, match="cannot be reached"):
        SlumbotClient(RandomSitting(), f"http://127.0.0.1:{port}").run(1)
    with pytest.raises(InputError, match="no address"):
        SlumbotClient(RandomSitting(), "file:///etc")


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf")])
def test_a_dealer_that_would_never_wait_or_always_is_refused(seconds: float) -> None:
    with pytest.raises(InputError, match="use more than 0"):
        Dealer(RULES, 1, seconds=seconds)

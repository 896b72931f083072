"""What `progress=True` draws."""

from __future__ import annotations

import io

from runout.progress import LOG_SECONDS, ProgressLine, clock, event_text, listener
from runout.protocols import Event


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def event(kind: str, iteration: int, **more: object) -> Event:
    return Event(kind, iteration, 0.5234, "% of the pot", 12.0, 20.0, **more)  # type: ignore[arg-type]


def test_an_event_in_a_few_words() -> None:
    assert event_text(event("progress", 1200)) == "1,200 iterations, 0.523% of the pot, 0:12, about 0:20 left"
    assert event_text(event("done", 130)) == "130 iterations, 0.523% of the pot, 0:12"
    assert event_text(event("interrupted", 130)) == "stopped: 130 iterations, 0.523% of the pot, 0:12"
    assert event_text(event("save failed", 130, note="the disk is full")) == "not saved: the disk is full"
    assert event_text(event("step", 3, total=10, counted="spots")).startswith("3 of 10 spots, ")
    assert event_text(Event("step", 5, None, "", 1.0, None)) == "5 iterations, 0:01"
    assert event_text(Event("step", 5, 1.25, "mbb/hand", 1.0, None)) == "5 iterations, 1.25 mbb/hand, 0:01"


def test_a_clock() -> None:
    assert [clock(x) for x in (0.4, 59.6, 3599, 3600, 7325)] == ["0:00", "1:00", "59:59", "1:00:00", "2:02:05"]


def test_a_terminal_has_one_line_that_is_rewritten() -> None:
    screen = Screen()
    line = ProgressLine(screen)
    for one in (event("progress", 1000), event("saved", 1000), event("step", 7), event("done", 8)):
        line(one)
    *drawn, end = screen.getvalue().split("\r")[1:]
    assert end.endswith("\n")
    assert "\n" not in "".join(drawn)
    assert [len(one) for one in drawn] == [len(drawn[0])] * 2  # a shorter text covers a longer one


def test_a_log_has_a_line_now_and_then_and_the_end() -> None:
    log, time = io.StringIO(), [0.0]
    line = ProgressLine(log, lambda: time[0])
    for number in range(5):
        time[0] = number * LOG_SECONDS * 0.6
        line(event("progress", number))
    line(event("done", 5))
    assert [text.split()[0] for text in log.getvalue().splitlines()] == ["0", "2", "4", "5"]


def test_who_hears() -> None:
    heard: list[Event] = []
    assert listener(None) is None
    assert listener(False) is None
    assert isinstance(listener(True), ProgressLine)
    assert listener(heard.append) == heard.append

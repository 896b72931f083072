"""What the server counts, as text that Prometheus reads."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator, Mapping

import psutil

BUCKETS = (0.005, 0.02, 0.1, 0.5, 2.0, 10.0)  # seconds


class ServerCounts:
    """Counts since the server began."""

    def __init__(self) -> None:
        self.connections = 0  # open now
        self.closed = 0  # closed because they asked nothing for too long, or to make room
        self._answers: Counter[tuple[str, int]] = Counter()  # by method and status
        self._within: Counter[float] = Counter()
        self._seconds = 0.0
        self._lock = threading.Lock()

    def answered(self, method: str, status: int, seconds: float) -> None:
        """Count an answer."""
        with self._lock:
            self._answers[method, status] += 1
            self._seconds += seconds
            for bucket in BUCKETS:
                self._within[bucket] += seconds <= bucket

    def text(self, jobs: Mapping[str, int], solutions: int) -> str:
        """All of it; `jobs` by their state, and how many solutions the library has."""
        return "\n".join([*self._lines(jobs, solutions), ""])

    def _lines(self, jobs: Mapping[str, int], solutions: int) -> Iterator[str]:
        with self._lock:
            answers, within, seconds = dict(self._answers), dict(self._within), self._seconds
        yield "# HELP runout_answers_total Answers to requests.\n# TYPE runout_answers_total counter"
        for (method, status), count in sorted(answers.items()):
            yield f'runout_answers_total{{method="{method}",status="{status}"}} {count}'
        yield "# HELP runout_answer_seconds How long answers took.\n# TYPE runout_answer_seconds histogram"
        for bucket in BUCKETS:
            yield f'runout_answer_seconds_bucket{{le="{bucket}"}} {within.get(bucket, 0)}'
        total = sum(answers.values())
        yield f'runout_answer_seconds_bucket{{le="+Inf"}} {total}'
        yield f"runout_answer_seconds_sum {seconds:.6f}\nrunout_answer_seconds_count {total}"
        gauges = {
            "connections": (self.connections, "Connections that are open."),
            "solutions": (solutions, "Solutions in the library."),
            "memory_bytes": (psutil.Process().memory_info().rss, "Memory of the server, without its solves."),
        }
        for name, (value, what) in gauges.items():
            yield f"# HELP runout_{name} {what}\n# TYPE runout_{name} gauge\nrunout_{name} {value}"
        yield "# HELP runout_connections_closed_total Connections that were closed for asking nothing."
        yield f"# TYPE runout_connections_closed_total counter\nrunout_connections_closed_total {self.closed}"
        yield "# HELP runout_jobs Solves by state.\n# TYPE runout_jobs gauge"
        for state, count in sorted(jobs.items()):
            yield f'runout_jobs{{state="{state}"}} {count}'


METRICS = ServerCounts()  # of this process

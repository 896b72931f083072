"""Processes of several machines that train together: gradients are added up over the network.

Each process sends its rows to all others and adds all rows up by itself, in the order of the parts (`fitting.added`):
the same bits as with processes of one machine, which no all-reduce promises, whose order is its own affair. A step
of a network with n parameters in P parts sends 4 n P bytes from each process that has one part.
"""

from __future__ import annotations

import os
import socket
from datetime import timedelta

import numpy as np
import psutil
import torch
import torch.distributed as distributed
from torch.distributed import TCPStore  # type: ignore[attr-defined]

from runout.errors import ShardLost
from runout.solvers.neural.fitting import FittingTeam, added
from runout.solvers.neural.team import PATIENCE, parts_of

_PATIENCE = timedelta(seconds=PATIENCE)


class NetworkTeam(FittingTeam):
    """Processes that meet at an address and add arrays up by torch.distributed (gloo).

    The one with number 0 makes the place to meet (`port`); all then `join` it, and only then can anything be added.
    """

    def __init__(self, number: int, processes: int, parts: int, host: str) -> None:
        self.number, self.processes, self.parts, self.sent = number, processes, parts, 0
        self._host = host  # address of this machine, as others see it
        self._meeting: TCPStore | None = None

    def port(self) -> int:
        """Make the place to meet, at a port of this machine that is free."""
        self._meeting = TCPStore(self._host, 0, is_master=True, wait_for_workers=False, timeout=_PATIENCE)
        return int(self._meeting.port)

    def join(self, host: str, port: int) -> None:
        """Meet the others; returns when all are there."""
        os.environ["GLOO_SOCKET_IFNAME"] = interface(self._host)
        try:
            place = self._meeting or TCPStore(host, port, is_master=False, timeout=_PATIENCE)
            distributed.init_process_group(
                "gloo", store=place, rank=self.number, world_size=self.processes, timeout=_PATIENCE
            )
        except (RuntimeError, ValueError) as error:
            raise ShardLost(f"the others cannot be met at {host}:{port} ({str(error).splitlines()[0]})") from None

    def add(self, rows: np.ndarray) -> np.ndarray:
        most = -(-self.parts // self.processes)  # parts of a process
        own = torch.zeros(most, rows.shape[1])
        own[: len(rows)] = torch.from_numpy(rows)
        found = [torch.empty_like(own) for _ in range(self.processes)]
        try:
            distributed.all_gather(found, own)
        except RuntimeError as error:
            raise ShardLost(f"one that fits with it has gone ({str(error).splitlines()[0]})") from None
        self.sent += (self.processes - 1) * own.nbytes
        held = [one[: len(parts_of(number, self.processes, self.parts))].numpy() for number, one in enumerate(found)]
        return added(np.concatenate(held))


def interface(host: str) -> str:
    """The network interface that has an address: a machine's name may lead to one that others cannot reach."""
    for name, addresses in psutil.net_if_addrs().items():
        if any(one.family in (socket.AF_INET, socket.AF_INET6) and one.address == host for one in addresses):
            return name
    return os.environ.get("GLOO_SOCKET_IFNAME", "lo")

"""Gadgets: how the opponent comes into a subgame that is solved anew, so that it cannot be worse than it was.

The opponent has a value for each hand that staying out is worth: what a best response would get here against the
strategy so far. Two games are built around the subgame with it:

RE_SOLVE     every hand comes in or takes that value, by regret matching on the two (Burch, Johanson and Bowling 2014).
MAX_MARGIN   the opponent chooses which hand to come in with, and is paid what it gets above that value (Moravcik and
             others 2016): what is solved for is the largest smallest margin.

The weight of a hand is its reach when it comes in; a margin is counted per unit of it. Besides, a range may come in
whatever is chosen (`certain`): among strategies that are as safe, those are solved for that do well against it. Plain
loops: there is one row for a whole sweep.
"""

from __future__ import annotations

import numpy as np

from runout.kernels.compiling import inner

NO_GADGET, RE_SOLVE, MAX_MARGIN = range(3)


@inner()
def come_in(gadget, ranges):
    """The range of the player who chooses, by the regrets so far."""
    hands, regrets, row = gadget.weight.shape[0], gadget.regrets, ranges[gadget.player]
    if gadget.kind == RE_SOLVE:
        for h in range(hands):
            enters, stays = max(regrets[h], np.float32(0.0)), max(regrets[hands + h], np.float32(0.0))
            total = enters + stays
            share = enters / total if total > 0 else np.float32(0.5)
            row[h] = gadget.certain[h] + gadget.weight[h] * share
        return
    total, choices = 0.0, 0
    for h in range(hands):
        if gadget.weight[h] > 0:
            total += max(regrets[h], np.float32(0.0))
            choices += 1
    for h in range(hands):
        share = max(regrets[h], np.float32(0.0)) / total if total > 0 else 1.0 / choices
        row[h] = gadget.certain[h] + gadget.weight[h] * np.float32(share)


@inner()
def learn_to_come_in(gadget, ranges, values, weights):
    """New regrets, from what the hands got that came in; weights float32 [3]: as everywhere, the first two of them."""
    hands, regrets, row = gadget.weight.shape[0], gadget.regrets, ranges[gadget.player]
    mean = 0.0
    for h in range(hands):
        mean += (row[h] - gadget.certain[h]) * (values[h] - gadget.instead[h])
    for h in range(2 * hands):
        regrets[h] *= weights[0] if regrets[h] > 0 else weights[1]
    for h in range(hands):
        if gadget.weight[h] <= 0:
            continue
        gain = values[h] - gadget.instead[h]
        if gadget.kind == RE_SOLVE:
            share = (row[h] - gadget.certain[h]) / gadget.weight[h]
            regrets[h] += (np.float32(1.0) - share) * gain
            regrets[hands + h] -= share * gain
        else:
            regrets[h] += gadget.weight[h] * gain - np.float32(mean)

"""The contract suite: what every game promises, held against matches played by chance.

``examine(rules, seed=0, matches=10)`` gives a Report; a game keeps the contract if its ``faults`` are empty.
Runs over any Rules, also those of other distributions, and needs nothing but this package. Knows no game.

Two things it asks of ``Rules.secrets``, so that it can tell a leak from a rule that shows something. A rule that
shows a card and hides it again within one step must not list it while it tells of it (at ``emit``). And a slot
should be the text of what ``Chance.shuffle`` is given (``str(item)``), so that a hidden shuffle can be varied; such
lists should be named by handles place by place, in the order in which the viewer sees them.
"""

from __future__ import annotations

from engines.testing.examination import BRIEF, LONG, Effort, examine, transcript
from engines.testing.report import Report, Trials
from engines.testing.wholes import continue_record

__all__ = ["BRIEF", "LONG", "Effort", "Report", "Trials", "continue_record", "examine", "transcript"]

"""Probe: a test game with every feature of the engine contract, which it breaks on demand. See RULES.md."""

from __future__ import annotations

from probe.rules import Probe, ProbeCut, ProbeDecks

__all__ = ["Probe", "ProbeCut", "ProbeDecks"]

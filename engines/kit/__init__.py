"""Pieces of rules that two games use."""

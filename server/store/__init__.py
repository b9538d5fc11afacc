"""Rooms in Redis: the only package that speaks to it."""

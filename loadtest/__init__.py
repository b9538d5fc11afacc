"""Scripted load against any server, with an oracle for correctness."""

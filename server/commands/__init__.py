"""The commands of ``sanctum``, one module each: what a person at a terminal can ask for."""

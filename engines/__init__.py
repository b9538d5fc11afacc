"""What is allowed: games as pure, synchronous, deterministic rules."""

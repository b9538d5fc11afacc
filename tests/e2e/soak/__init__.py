"""The soak: matches under kills, cut lines, failovers and rolling restarts, and the count of what went wrong."""

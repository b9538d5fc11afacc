"""Who may say what, and where it is kept: rooms, sockets, the store, the command line."""

"""The page for people: static files of this package, and how each game wants its table drawn."""

"""What a service costs, each figure by one command: ``python -m loadtest.measure``. See docs/performance.md."""

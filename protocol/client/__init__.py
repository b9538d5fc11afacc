"""The reference client for Python."""

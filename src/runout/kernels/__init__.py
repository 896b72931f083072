"""Compiled loops over plain arrays; every kernel has a slow twin in tests/reference."""

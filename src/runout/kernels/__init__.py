"""Compiled loops over plain arrays (Numba); every kernel has a slow twin in tests/reference."""

"""Rules of games and their trees as flat arrays."""

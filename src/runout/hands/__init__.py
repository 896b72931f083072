"""Hands that were played: the record of one, readers, writers, and what came of it in chips."""

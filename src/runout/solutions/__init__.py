"""Solutions on disk: the format, its checksums and the kinds of solution."""

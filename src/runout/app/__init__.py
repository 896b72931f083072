"""What people touch: command line, terminal and browser."""

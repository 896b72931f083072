"""Solutions of every kind, the table of their kinds, and cursors into them."""

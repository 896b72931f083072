"""What `make bench` prints: every figure measured on the machine at hand, none asserted."""

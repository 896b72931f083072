"""PioSOLVER's Universal Poker Interface on standard input and output."""

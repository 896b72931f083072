"""Cards, hands, ranges, suits, the evaluator and equity."""

"""How good a solution is: best responses, local best response, matches, and confidence intervals of what is sampled."""

"""The terminal explorer: draws the records of `analysis.view` with Textual and holds no poker logic."""

"""The terminal explorer: draws the records of `cursors.view` with Textual and holds no poker logic."""

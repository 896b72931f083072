"""Files and texts of other programs: read, and written from what Runout has."""

"""A standing campaign against Runout: kills, damages, crafted files, fuzzed calls, two writers, full disks, floods."""

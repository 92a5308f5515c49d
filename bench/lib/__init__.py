"""What the benchmark's scripts share.  Python's standard library only."""

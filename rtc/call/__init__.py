"""The sans-IO heart of a call: it takes values and the time, and returns values."""

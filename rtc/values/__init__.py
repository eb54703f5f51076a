"""Frozen value types that every room shares; standard library only."""

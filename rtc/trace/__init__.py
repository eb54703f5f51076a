"""Typed events to JSON lines and back."""

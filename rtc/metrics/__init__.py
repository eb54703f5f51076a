"""Figures computed from the events of a call."""

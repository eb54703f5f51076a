"""Tables, plots, pages and films made from figures."""

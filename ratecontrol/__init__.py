"""How many bits: targets, estimates and the controllers that spend them."""

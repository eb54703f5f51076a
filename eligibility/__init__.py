"""Which devices may use AV1."""

"""Asking for missing packets again (RFC 4585 generic NACK) and keeping sent ones to answer with (RFC 4588)."""

"""Bytes to values and back: RTP, header extensions, payload formats and RTCP."""

"""The encoders and decoders, each a dumb servant of a per-frame order."""

"""Encoders and decoders: libaom and OpenH264 driven frame by frame, dav1d and h264 through PyAV."""

"""The Dependency Descriptor header extension (RTP Payload Format For AV1 v1.0.0, appendix A)."""

"""libaom's public C interface, declared for cffi's ABI mode: no compiler is needed."""

"""From packets to displayed frames: assembly, decodability, playout, freezes, and asking for key frames."""

"""From packets to frames that can be shown: assembly, decodability, playout."""

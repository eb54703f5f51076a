"""Loss and its repair: retransmission, reassembly, decodability and playout."""

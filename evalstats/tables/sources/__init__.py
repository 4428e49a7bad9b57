"""How do the programs that run experiments write their results? One format, one file."""

"""``python -m evalstats`` is the command ``evalstats``."""

from evalstats.cli import main

if __name__ == "__main__":
    main()

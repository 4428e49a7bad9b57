"""Run the command ``evalstats`` with ``python -m evalstats``."""

from evalstats.cli import main

if __name__ == "__main__":
    main()

"""Runs `palimpsest` as `python -m services.host`, so that a process can start another of the same code."""

from services.host.cli import main

if __name__ == "__main__":
    main()

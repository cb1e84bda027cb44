"""`python -m services.host` is `palimpsest`: so a process of ours starts another of the same code."""

from services.host.cli import main

if __name__ == "__main__":
    main()

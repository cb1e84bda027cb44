"""A command is measured by itself, whatever the process is that starts it."""

from palimpsest_lab.archives.measured_command import run_measured_command


async def test_the_memory_of_a_command_is_not_that_of_its_parent() -> None:
    ballast = bytearray(b"x" * 400_000_000)
    figures = await run_measured_command(["--version"])
    assert figures.output.startswith("palimpsest")
    assert figures.processor_seconds > 0
    assert figures.most_mebibytes < len(ballast) / 1024 / 1024 / 2

"""`bench import-file`: files of other systems' size, read in memory that does not grow with them."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from palimpsest_lab.archives.measured_command import run_measured_command
from palimpsest_lab.datasets.invented_texts import generate_statements
from palimpsest_lab.reporting.report import BenchmarkReport

SEED = 23
BYTES_PER_MEBIBYTE = 1024 * 1024
MESSAGES_IN_A_CONVERSATION = 40
GROWTH_MEBIBYTES = 16.0
"""More than this between a tenth of the file and the whole of it is growth."""

DEFINITION = (
    "an invented file in the shape of ChatGPT's export, read by `palimpsest import --dry-run` in a process"
    " of its own; the most resident memory for a tenth of the file, and for the whole"
)


async def run_benchmark(*, mebibytes: int) -> BenchmarkReport:
    """Write a tenth of the file and the whole of it, and read both."""
    rows: list[dict[str, Any]] = []
    with TemporaryDirectory(prefix="palimpsest-bench-") as folder:
        for size in (max(1, mebibytes // 10), mebibytes):
            file = Path(folder) / f"{size}.json"
            write_chatgpt_file(file, size * BYTES_PER_MEBIBYTE)
            arguments = ["import", str(file), "--format", "chatgpt", "--user", "ann"]
            figures = await run_measured_command([*arguments, "--dry-run", "--json"])
            taken = json.loads(figures.output[figures.output.index("{") :])["taken"]
            rows.append(
                {
                    "mebibytes": round(file.stat().st_size / BYTES_PER_MEBIBYTE, 1),
                    "messages": taken["messages"],
                    "seconds": round(figures.seconds, 1),
                    "most_mebibytes": round(figures.most_mebibytes, 1),
                }
            )
    growth = round(rows[-1]["most_mebibytes"] - rows[0]["most_mebibytes"], 1)
    return BenchmarkReport(
        title="A large file of another system, read item by item",
        rows=rows,
        figures={
            "files": rows,
            "growth_mebibytes": growth,
            "holds": growth <= GROWTH_MEBIBYTES,
            "definition": DEFINITION,
        },
    )


def write_chatgpt_file(file: Path, least_bytes: int) -> None:
    """Write a file of at least so many bytes."""
    texts = (statement.text for statement in _endless())
    with file.open("w", encoding="utf-8") as out:
        out.write("[")
        number = 0
        while out.tell() < least_bytes:
            out.write("," if number else "")
            json.dump(_conversation(number, texts), out, ensure_ascii=False)
            number += 1
        out.write("]")


def _endless() -> Iterator[Any]:
    seed = SEED
    while True:
        yield from islice(generate_statements(seed), 10_000)
        seed += 1


def _conversation(number: int, texts: Iterator[str]) -> dict[str, Any]:
    began = datetime(2026, 1, 1, tzinfo=UTC).timestamp() + 3600 * number
    names = [f"{number}-{place}" for place in range(MESSAGES_IN_A_CONVERSATION)]
    mapping = {
        name: {
            "id": name,
            "parent": names[place - 1] if place else None,
            "children": names[place + 1 : place + 2],
            "message": {
                "id": name,
                "author": {"role": "user" if place % 2 == 0 else "assistant"},
                "create_time": began + 60 * place,
                "content": {
                    "content_type": "text",
                    "parts": [" ".join(islice(texts, 1 if place % 2 == 0 else 8))],
                },
                "metadata": {},
                "recipient": "all",
            },
        }
        for place, name in enumerate(names)
    }
    return {
        "title": f"Conversation {number}",
        "create_time": began,
        "conversation_id": f"conversation-{number}",
        "current_node": names[-1],
        "mapping": mapping,
    }

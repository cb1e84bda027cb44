"""Documents of older versions, kept as the programs of then wrote them."""

from bson import json_util

from palimpsest_server.stores.mongo.database import Document, MongoDatabase
from tests.support.paths import GOLDEN

FOLDER = GOLDEN / "documents"
VERSIONS = sorted(
    int(file.stem.removeprefix("version_")) for file in FOLDER.glob("version_*.jsonl")
)


def read_golden_documents(version: int) -> dict[str, list[Document]]:
    """Return the documents that a program of this version wrote, by their collection."""
    found: dict[str, list[Document]] = {}
    text = (FOLDER / f"version_{version}.jsonl").read_text(encoding="utf-8")
    for line in text.splitlines():
        written = json_util.loads(line)
        found.setdefault(written["collection"], []).append(written["document"])
    return found


async def restore_golden_documents(database: MongoDatabase, version: int) -> None:
    """Write the documents of this version into a database, as a restored backup would."""
    for name, documents in read_golden_documents(version).items():
        await database.raw(name).insert_many(documents)


def render_golden_documents(collections: dict[str, list[Document]]) -> str:
    """Return documents as a file of this folder: a line for each, in a fixed order."""
    return "".join(
        json_util.dumps({"collection": name, "document": document}, ensure_ascii=False) + "\n"
        for name in sorted(collections)
        for document in sorted(collections[name], key=lambda each: str(each["_id"]))
    )

from pathlib import Path

import pytest

from palimpsest.model.errors import PermanentError
from palimpsest_server.embedders.hashing_embedder import HashingEmbedder
from palimpsest_server.embedders.labelled_pairs import measure_pair_cosines, read_labelled_pairs


def written(directory: Path, text: str) -> Path:
    path = directory / "pairs.jsonl"
    path.write_text(text)
    return path


def test_one_a_line_blank_lines_and_more_fields_do_no_harm(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        '{"one": "a", "other": "b", "same": true, "by": "me"}\n\n{"one": "a", "other": "c", "same": false}\n',
    )
    assert [(pair.other, pair.same) for pair in read_labelled_pairs(path)] == [
        ("b", True),
        ("c", False),
    ]


def test_a_line_that_is_none_is_named(tmp_path: Path) -> None:
    with pytest.raises(PermanentError, match="line 2 of"):
        read_labelled_pairs(
            written(tmp_path, '{"one": "a", "other": "b", "same": true}\n{"one": "a"}\n')
        )


async def test_each_pair_gets_the_cosine_of_the_model(tmp_path: Path) -> None:
    embedder = HashingEmbedder()
    await embedder.start()
    pairs = read_labelled_pairs(
        written(
            tmp_path,
            '{"one": "a tea", "other": "a tea", "same": true}\n{"one": "a tea", "other": "xyz", "same": false}\n',
        )
    )
    same, other = await measure_pair_cosines(pairs, embedder)
    assert same.cosine == pytest.approx(1.0, abs=1e-6)
    assert other.cosine < 0.99

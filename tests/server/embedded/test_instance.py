"""Commands find the instance that serves a data directory, and no ghost of one."""

from pathlib import Path

from palimpsest_server.embedded import instance


def test_an_announced_instance_is_found_until_it_is_withdrawn(tmp_path: Path) -> None:
    instance.announce_instance(
        tmp_path,
        http_url="http://127.0.0.1:8000",
        kafka_bootstrap_servers="127.0.0.1:9092",
        mongodb_url="mongodb://127.0.0.1:27117/",
    )
    found = instance.find_instance(tmp_path)
    assert found is not None
    assert found.http_url == "http://127.0.0.1:8000"
    instance.withdraw_instance(tmp_path)
    instance.withdraw_instance(tmp_path)
    assert instance.find_instance(tmp_path) is None


def test_what_a_killed_instance_left_is_not_found(tmp_path: Path) -> None:
    instance.announce_instance(tmp_path, http_url="", kafka_bootstrap_servers="", mongodb_url="")
    found = instance.find_instance(tmp_path)
    assert found is not None
    ghost = found.model_copy(
        update={"process": found.process.model_copy(update={"started": "before the crash"})}
    )
    (tmp_path / "instance.json").write_text(ghost.model_dump_json())
    assert instance.find_instance(tmp_path) is None

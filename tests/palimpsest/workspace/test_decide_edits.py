"""Each rule of the files: what an edit becomes, and what is never taken for one."""

import re

import pytest

from palimpsest.model.kind_properties import MemoryFile
from palimpsest.model.kinds import Kind
from palimpsest.workspace.file_contents import ORDER_FIELD, digest_words
from palimpsest.workspace.file_marks import write_confirmation
from tests.support.palimpsest.workspace.edited_files import EditedFiles, remember, remember_all

TEN = [f"fact {number}" for number in range(10)]


def ten() -> EditedFiles:
    return EditedFiles(remember_all(*TEN))


def test_an_untouched_file_asks_for_nothing() -> None:
    assert ten().commands() == []


def test_a_changed_line_edits_its_memory() -> None:
    assert ten().replace("fact 3", "fact three").commands() == [("edit", "fact three")]


def test_a_new_line_adds_a_memory_of_the_kind_of_its_section() -> None:
    files = ten().replace("## Goals · 目标计划\n", "## Goals · 目标计划\n\n* run a marathon\n")
    [command] = files.decide().commands
    assert (command.action, command.content, command.kind) == (
        "add",
        "run a marathon",
        Kind.GOAL,
    )


def test_a_line_put_at_the_end_of_the_file_is_of_the_usual_kind() -> None:
    [command] = ten().edit(lambda text: f"{text}- plays chess\n").decide().commands
    assert (command.content, command.kind) == ("plays chess", Kind.FACT)


def test_a_deleted_line_forgets_its_memory() -> None:
    assert ten().drop("fact 3").commands() == [("forget", "fact 3")]


def test_a_line_moved_within_its_section_gets_a_place_there() -> None:
    files = ten()
    moved = next(line for line in files.texts[MemoryFile.MEMORY].split("\n") if "fact 9" in line)
    files.drop("fact 9").replace("- fact 2", f"{moved}\n- fact 2")
    [command] = files.decide().commands
    places = {memory.content: memory.order for memory in files.memories.values()}
    assert command.memory_id == remember("fact 9").id
    assert command.order is not None
    assert places["fact 1"] < command.order < places["fact 2"]
    assert command.data == {ORDER_FIELD: command.order}
    assert (command.content, command.kind, command.version) == (None, None, 1)


def test_a_line_moved_to_another_section_changes_its_kind() -> None:
    files = ten()
    moved = next(line for line in files.texts[MemoryFile.MEMORY].split("\n") if "fact 9" in line)
    heading = "## Goals · 目标计划\n"
    files.drop("fact 9").replace(heading, f"{heading}\n{moved}\n")
    [command] = files.decide().commands
    assert (command.action, command.kind, command.content) == ("edit", Kind.GOAL, None)


def test_a_line_moved_to_the_other_file_changes_its_kind() -> None:
    files = ten()
    moved = next(line for line in files.texts[MemoryFile.MEMORY].split("\n") if "fact 9" in line)
    files.drop("fact 9")
    heading = "## Lessons · 经验教训\n"
    files.edit(lambda text: text.replace(heading, f"{heading}\n{moved}\n"), MemoryFile.LEARNINGS)
    [command] = files.decide().commands
    assert (command.action, command.kind) == ("edit", Kind.LESSON)


def test_of_two_changes_of_one_memory_the_persons_line_wins() -> None:
    files = ten().replace("fact 3", "mine").change_memory("fact 3", "learned meanwhile")
    assert files.commands() == [("edit", "mine")]


def test_a_line_that_the_person_left_alone_follows_its_memory() -> None:
    assert ten().change_memory("fact 3", "learned meanwhile").commands() == []


def test_a_person_who_writes_what_a_memory_says_by_now_changes_nothing() -> None:
    assert ten().replace("fact 3", "new").change_memory("fact 3", "new").commands() == []


def test_a_deleted_line_is_forgotten_though_its_memory_changed_meanwhile() -> None:
    files = ten().drop("fact 3").change_memory("fact 3", "learned meanwhile")
    assert files.commands() == [("forget", "learned meanwhile")]


def test_a_line_whose_memory_is_gone_goes_if_it_was_left_alone() -> None:
    files = ten()
    del files.memories[remember("fact 3").id]
    assert files.commands() == []


def test_a_changed_line_whose_memory_is_gone_is_remembered_anew() -> None:
    files = ten().replace("fact 3", "mine")
    del files.memories[remember("fact 3").id]
    assert files.commands() == [("add", "mine")]


def test_a_memory_that_came_after_the_file_was_written_is_not_forgotten() -> None:
    files = ten().replace("fact 3", "mine")
    late = remember("learned meanwhile", place=99)
    files.memories[late.id] = late
    assert files.commands() == [("edit", "mine")]


@pytest.mark.parametrize("text", ["", "\n\n", "# Memory · 记忆\n"])
def test_nothing_is_forgotten_because_a_file_is_empty(text: str) -> None:
    files = ten().edit(lambda _: text)
    decision = files.decide()
    assert decision.commands == []
    assert len(decision.asked[MemoryFile.MEMORY]) == 10


@pytest.mark.parametrize("share", [0.2, 0.5, 0.9, 0.97])
def test_nothing_is_forgotten_because_a_file_is_truncated(share: float) -> None:
    files = ten().edit(lambda text: text[: int(len(text) * share)])
    assert {action for action, _ in files.commands()} <= {"add"}
    assert len(files.commands()) <= 1


def test_a_fifth_of_the_lines_may_go_at_once() -> None:
    assert ten().drop("fact 3", "fact 4").commands() == [
        ("forget", words)
        for words in sorted(["fact 3", "fact 4"], key=lambda words: remember(words).id)
    ]


def test_nothing_is_forgotten_where_more_than_a_fifth_of_the_lines_went_at_once() -> None:
    decision = ten().drop("fact 3", "fact 4", "fact 5").decide()
    assert decision.commands == []
    assert decision.asked[MemoryFile.MEMORY] == {remember(f"fact {n}").id for n in (3, 4, 5)}


def test_a_single_line_of_a_short_file_may_go() -> None:
    assert EditedFiles(remember_all("tea")).drop("tea").commands() == [("forget", "tea")]


def test_a_person_may_say_at_once_that_all_of_it_is_meant() -> None:
    decision = ten().drop("fact").decide(confirmed=True)
    assert [command.action for command in decision.commands] == ["forget"] * 10


def asking(mark: str) -> EditedFiles:
    """A file that asks whether two of its ten lines, which stand in it again, are to be forgotten."""
    files = ten()
    files.asked = frozenset(remember(f"fact {n}").id for n in (3, 4))
    question = write_confirmation(digest_words(sorted(files.asked)), 2)
    return files.replace("## Related", question.replace("[ ]", mark) + "\n\n## Related")


def test_a_ticked_question_forgets_what_was_gone() -> None:
    assert sorted(asking("[x]").commands()) == [("forget", "fact 3"), ("forget", "fact 4")]


def test_an_unticked_question_is_asked_again() -> None:
    decision = asking("[ ]").decide()
    assert (decision.commands, len(decision.asked[MemoryFile.MEMORY])) == ([], 2)


def test_a_question_that_was_deleted_is_asked_no_more() -> None:
    files = ten()
    files.asked = frozenset({remember("fact 3").id})
    assert files.decide().asked[MemoryFile.MEMORY] == frozenset()


def test_a_line_that_was_changed_is_kept_though_its_question_was_ticked() -> None:
    files = asking("[x]").replace("- fact 3", "- fact three")
    assert sorted(files.commands()) == [("edit", "fact three"), ("forget", "fact 4")]


def test_a_line_in_a_part_that_cannot_be_read_is_not_forgotten() -> None:
    files = ten().replace("- fact 3", "```\n- fact 3").replace("- fact 5", "```\n- fact 5")
    assert files.commands() == []


def test_a_line_without_words_is_not_forgotten() -> None:
    assert ten().replace("- fact 3", "- ").commands() == []


def test_lines_that_lost_their_ids_are_known_by_their_words() -> None:
    assert ten().edit(lambda text: re.sub(r" <!-- [0-9a-f]{8} -->", "", text)).commands() == []


def test_a_copied_line_becomes_no_second_memory_until_it_says_something_else() -> None:
    line = next(line for line in ten().texts[MemoryFile.MEMORY].split("\n") if "fact 3" in line)
    assert ten().replace(line, f"{line}\n{line}").commands() == []
    changed = ten().replace(line, f"{line.replace('3', 'three', 1)}\n{line}")
    assert changed.commands() == [("add", "fact three")]


def test_a_file_with_conflict_markers_is_left_alone() -> None:
    files = (
        ten().drop("fact 3").replace("- fact 5", "<<<<<<< HEAD\n- x\n=======\n>>>>>>> b\n- fact 5")
    )
    assert files.decide().commands == []
    assert MemoryFile.MEMORY not in files.decide().asked

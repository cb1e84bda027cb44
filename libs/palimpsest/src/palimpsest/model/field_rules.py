"""Rules for the fields of a memory, stated at each field as `Annotated[type, RULE]`."""

from collections.abc import Iterator
from datetime import datetime
from enum import Enum
from typing import Annotated, Any, Literal, get_args, get_origin

from pydantic import AwareDatetime, BaseModel


class Unite(Enum):
    """Rules by which the values of one field become one value when memories are united.

    A field without a rule keeps the value of the memory that stays.
    """

    EARLIEST = "the earliest moment"
    LARGEST = "the largest number"
    ANY = "true if it is true of one of them"
    ALL_WORDS = "each word once"
    DISTINCT_EVIDENCE = "each piece of evidence once"
    FROM_EVIDENCE = "counted anew from the united evidence"


class Words(Enum):
    """The parts that the words of a field play in a statement.

    A field of words without a rule holds a `DETAIL`. The words of a new field are therefore
    encrypted, screened for planted content, and withdrawn with the message that said them.
    """

    STATEMENT = "the statement itself, which is worded anew if other messages are left"
    TOPIC = "what the statement is about; it stays as long as the statement"
    NAME = "names that the statement mentions"
    LABEL = "words under which the statement is filed"
    DETAIL = "a detail of the statement"
    APART = "ids, and values that code of their own looks after"

    @property
    def is_screened(self) -> bool:
        """Tell whether a proposal is dropped for rights, orders or secrets in this field."""
        return self in (Words.STATEMENT, Words.DETAIL)

    @property
    def goes_with_evidence(self) -> bool:
        """Tell whether words of this field are dropped if only withdrawn messages said them."""
        return self in (Words.NAME, Words.LABEL, Words.DETAIL)

    @property
    def goes_when_reworded(self) -> bool:
        """Tell whether words of this field are dropped if a rewording leaves them out."""
        return self in (Words.NAME, Words.DETAIL)


_WORDLESS = (Enum, bool, int, float, datetime, AwareDatetime, type(None))


def read_word_rules(model: type[BaseModel]) -> dict[str, Words]:
    """Return the rule of each field that holds words, in the order of the fields; `APART` is left out.

    Raises:
        RuntimeError: names fields of words that are no optional text, no tuple of texts, and state
            no rule.
    """
    stated = {
        name: rule
        for name, field in model.model_fields.items()
        for rule in field.metadata
        if isinstance(rule, Words)
    }
    held = [
        name for name, field in model.model_fields.items() if not _is_wordless(field.annotation)
    ]
    if unclear := [
        name
        for name in held
        if name not in stated
        and model.model_fields[name].annotation not in (str | None, tuple[str, ...])
    ]:
        raise RuntimeError(
            f"{model.__name__} states no rule of Words at {', '.join(unclear)}:"
            " only `str | None` and `tuple[str, ...]` do without"
        )
    rules = {name: stated.get(name, Words.DETAIL) for name in held}
    return {name: rule for name, rule in rules.items() if rule is not Words.APART}


def _is_wordless(annotation: Any) -> bool:
    return all(
        isinstance(leaf, type) and issubclass(leaf, _WORDLESS) for leaf in _leaves(annotation)
    )


def _leaves(annotation: Any) -> Iterator[Any]:
    """Yield the plain types that an annotation is made of."""
    if get_origin(annotation) is Annotated:
        yield from _leaves(get_args(annotation)[0])
    elif get_origin(annotation) is Literal or annotation is Ellipsis:
        return
    elif arguments := get_args(annotation):
        for argument in arguments:
            yield from _leaves(argument)
    else:
        yield annotation


def list_words(value: str | tuple[str, ...] | None) -> tuple[str, ...]:
    """Return the words that a field holds: none, one, or several."""
    if value is None:
        return ()
    return (value,) if isinstance(value, str) else value

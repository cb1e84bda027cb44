"""Reads the tables of facts as rules, each with its pattern and its refinement."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from palimpsest.model.kinds import Kind
from palimpsest_language.facts.rule import (
    ANYONE_SAYS,
    SPEAKER,
    USER_SAYS,
    FactRule,
    MatchGroups,
    RefineGroups,
)
from palimpsest_language.rule_tables import RuleRow, put_pieces_in, read_rules
from palimpsest_language.vocabulary.lazy_pattern import LazyPattern


@dataclass(frozen=True, kw_only=True)
class FactGrammar:
    """The definitions in code that one language's tables refer to."""

    compile: Callable[[str], LazyPattern]
    """Compiles a pattern of the language: spaces, apostrophes, shared pieces."""
    pieces: Mapping[str, str]
    """Pieces of patterns that code needs as well."""
    refinements: Mapping[str, RefineGroups]

    def read(self, tables: Sequence[str]) -> tuple[FactRule, ...]:
        """Read the tables into one, in which earlier rules win over later ones."""
        return tuple(self._rules(tables))

    def _rules(self, tables: Sequence[str]) -> Iterator[FactRule]:
        for table in tables:
            for row in read_rules(table):
                yield self._rule(row, **row.columns)

    def _rule(
        self,
        row: RuleRow,
        *,
        kind: str,
        content: str,
        refine: str,
        attribute: str | None = None,
        subject: str = SPEAKER,
        said_by: str = "user",
        groups: MatchGroups | None = None,
        **columns: Any,
    ) -> FactRule:
        refined = self.refinements[refine]
        return FactRule(
            id=row.id,
            kind=Kind(kind),
            pattern=self.compile(put_pieces_in(row.pattern, self.pieces)),
            content=content,
            refine=_adding(groups, refined) if groups else refined,
            attribute=attribute,
            subject=subject,
            said_by={"user": USER_SAYS, "anyone": ANYONE_SAYS}[said_by],
            **columns,
        )


def keep_groups(groups: MatchGroups) -> MatchGroups:
    """Return the groups unchanged."""
    return groups


def _adding(fixed: MatchGroups, refine: RefineGroups) -> RefineGroups:
    """Return a refinement that also sets these groups."""

    def refine_and_add(groups: MatchGroups) -> MatchGroups | None:
        refined = refine(groups)
        return None if refined is None else {**refined, **fixed}

    return refine_and_add

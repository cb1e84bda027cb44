"""Cross-validate the gate: fit it on all people and nonsense but those that stand apart."""

from collections.abc import Callable, Collection, Sequence
from itertools import groupby
from typing import Any

import numpy as np

from palimpsest_lab.fitting.gate_memories import EmbeddedQuestion
from palimpsest_lab.fitting.gate_people import GateMemorySource, GatePerson
from palimpsest_lab.fitting.gate_samples import (
    MINIMUM_HITS,
    SAMPLED_MEMORY_COUNTS,
    GateSample,
    build_gate_sample,
    collect_gate_samples,
)
from palimpsest_lab.fitting.logistic_regression import Numbers, fit_named_weights
from palimpsest_lab.fitting.plausibility_planes import PlausibilityPlanes, collect_sensible_texts
from palimpsest_lab.recall.gate import GateMeasurement, QuestionOrigin, find_highest_threshold
from palimpsest_language.question_intents.has_content_words import has_content_words
from palimpsest_server.domain.ranking.gate_weights import ChineseGateWeights, GateWeights
from palimpsest_server.domain.ranking.relevance_gate import Gate
from palimpsest_server.domain.ranking.similarity_calibration import RELEVANT_DEVIATIONS

FOLDS = 5

ACCEPTED_RECALL_LOSS = 0.038
"""Of the questions to whole conversations; here they are found by two signs, in recall by all."""

OWN_WEIGH, OTHERS_WEIGH, NONSENSE_WEIGHS = 600.0, 600.0, 2_400.0
"""All samples of one source together. What others ask could mostly be asked here as well."""

UNRELATED_SHARE_BELOW = 0.998
"""The share of others' questions and nonsense, among few of nonsense, that is farther away than what opens
by nearness alone."""

OTHERS_KEPT_OUT, NONSENSE_KEPT_OUT = 0.5, 0.955
"""Of what others ask and of nonsense, where nothing but memories is found: so much and no more, for
to keep out more costs answers. Most of what answers a question there shares no word with it."""

RELEVANT_SHARE = 0.9
"""Of the finds of a relevance of .7 and more."""

INCREASING_FEATURES = frozenset(
    {"nearest", "above_all", "coverage", "lexical_gap", "agreement", "seen", "says"}
)

EmbedQuestion = Callable[[str], EmbeddedQuestion]


class GateFit:
    """One model on the people of one language, with planes fitted on people of all languages."""

    def __init__(
        self,
        people: Sequence[GatePerson],
        nonsense: Sequence[str],
        gate: Gate,
        ask: EmbedQuestion,
        senses: PlausibilityPlanes,
    ) -> None:
        self.people, self.nonsense = people, nonsense
        self._gate, self._ask, self._senses = gate, ask, senses
        self._fold_of = assign_folds(people, nonsense)
        self.samples = list(collect_gate_samples(people, nonsense, gate, ask))
        self._openings: dict[frozenset[int], GateWeights | ChineseGateWeights] = {}

    def opening(self, without: Collection[int] = ()) -> GateWeights | ChineseGateWeights:
        """Fitted on all folds but these."""
        apart = frozenset(without)
        known = [sample for sample in self.samples if not self._folds(sample) & apart]
        names = [*known[0].values, "says"]
        values = np.array(
            [
                [*gate_sample.values.values(), self._says(gate_sample, apart)]
                for gate_sample in known
            ]
        )
        own = np.array([float(gate_sample.own) for gate_sample in known])
        weights = fit_named_weights(names, values, own, _weights(known), rising=INCREASING_FEATURES)
        strangers = [gate_sample.seen.nearest for gate_sample in known if not gate_sample.own]
        strange = [
            gate_sample.seen.nearest
            for gate_sample in known
            if gate_sample.nonsense and gate_sample.size == SAMPLED_MEMORY_COUNTS[-1]
        ]
        found: dict[str, Any] = {
            **{name: round(weight, 3) for name, weight in weights.items()},
            "fewest": MINIMUM_HITS,
            "opens_from": 0.0,
            "opens_among_memories": 0.0,
            "opens_from_deviations": round(float(np.quantile(strangers, UNRELATED_SHARE_BELOW)), 2),
            "opens_among_few": round(float(np.quantile(strange, UNRELATED_SHARE_BELOW)), 2),
            "relevant_deviations": self._relevant_deviations(apart),
        }
        kind = GateWeights if known[0].common is None else ChineseGateWeights
        opening = kind(**found)
        opens_from = self._opens_from(known, opening, apart)
        among_memories = min(self._opens_among_memories(known, opening, apart), opens_from)
        return opening.model_copy(
            update={"opens_from": opens_from, "opens_among_memories": among_memories}
        )

    def _opens_from(
        self,
        known: Sequence[GateSample],
        opening: GateWeights | ChineseGateWeights,
        apart: frozenset[int],
    ) -> float:
        of_messages = [
            GateMeasurement(
                user_id=gate_sample.user.id, sort=_sort(gate_sample), margin=margin, recall=1.0
            )
            for gate_sample in known
            if gate_sample.size is None and gate_sample.user.source is GateMemorySource.MESSAGES
            for margin in [self._evidence(gate_sample, opening, apart)]
        ]
        return round(find_highest_threshold(of_messages, ACCEPTED_RECALL_LOSS), 3)

    def _opens_among_memories(
        self,
        known: Sequence[GateSample],
        opening: GateWeights | ChineseGateWeights,
        apart: frozenset[int],
    ) -> float:
        """Infinite where nobody labelled their memories."""
        kept_out: dict[QuestionOrigin, list[float]] = {"other": [], "nonsense": []}
        for gate_sample in known:
            if gate_sample.user.source is GateMemorySource.LABELLED and not gate_sample.own:
                kept_out[_sort(gate_sample)].append(self._evidence(gate_sample, opening, apart))
        shares = {"other": OTHERS_KEPT_OUT, "nonsense": NONSENSE_KEPT_OUT}
        least = [
            float(np.quantile(found, shares[sort], method="higher"))
            for sort, found in kept_out.items()
            if found
        ]
        return round(max(least, default=np.inf), 3)

    def _relevant_deviations(self, apart: frozenset[int]) -> float:
        """The fewest from which on that share of the labelled people's finds matters."""
        finds = [
            (self._gate.calibration.deviations(match.cosine), match.id in asked.evidence)
            for person in self.people
            if person.source is GateMemorySource.LABELLED
            and self._fold_of[person.group] not in apart
            for asked in person.questions
            for match in person.remembered.search(self._ask(asked.text))
            if match.cosine is not None
        ]
        return round(find_minimum_deviation(finds), 2)

    def _evidence(
        self, sample: GateSample, opening: GateWeights | ChineseGateWeights, apart: frozenset[int]
    ) -> float:
        """Return the evidence; what is open outright stays open at any threshold."""
        if opening.outright(sample.seen) >= 0.0:
            return np.inf
        says = self._says(sample, apart)
        if isinstance(opening, GateWeights):
            return opening.evidence(sample.seen, says)
        return opening.evidence(sample.seen, sample.common, says) if sample.common else -np.inf

    def judged(
        self, sample: GateSample, opening: GateWeights | ChineseGateWeights, apart: frozenset[int]
    ) -> GateMeasurement:
        """Judge questions by a plausibility plane that was fitted without them."""
        says = self._says(sample, apart)
        if isinstance(opening, ChineseGateWeights):
            margin = opening.margin(sample.seen, sample.common, says) if sample.common else -np.inf
        else:
            margin = opening.margin(sample.seen, says)
        return GateMeasurement(
            user_id=sample.user.id,
            sort=_sort(sample),
            margin=float(margin),
            recall=sample.recall,
        )

    def held_out(self, source: GateMemorySource, size: int | None = None) -> list[GateMeasurement]:
        """Each fold's questions, to each fold's people, by what was fitted without that fold."""
        return [
            self.judged(sample, opening, apart)
            for sample in self.samples
            if sample.user.source is source and sample.size == size
            for apart, opening in [self._without(self._fold_of[sample.user.group])]
            if not sample.nonsense or self._fold_of[sample.text] in apart
        ]

    def refused_apart(self, nonsense: Sequence[str]) -> float:
        """The share refused of nonsense that nothing was fitted to, asked of people who stood apart."""
        refused = []
        for user in self.people:
            apart, opening = self._without(self._fold_of[user.group])
            for text in nonsense:
                asked = self._ask(text)
                sample = build_gate_sample(
                    self._gate, user.remembered, asked, user=user, size=None, nonsense=True
                )
                refused.append(
                    sample is None
                    or not has_content_words(text)
                    or self.judged(sample, opening, apart).margin < 0.0
                )
        return sum(refused) / len(refused)

    def _without(self, fold: int) -> tuple[frozenset[int], GateWeights | ChineseGateWeights]:
        apart = frozenset({fold})
        if apart not in self._openings:
            self._openings[apart] = self.opening(apart)
        return apart, self._openings[apart]

    def _says(self, sample: GateSample, apart: frozenset[int]) -> float:
        fold = self._fold_of.get(sample.text)
        besides = apart if fold is None else apart | {fold}
        return self._senses.without(besides).of(self._ask(sample.text).dense.tolist())

    def _folds(self, sample: GateSample) -> frozenset[int]:
        return frozenset({self._fold_of[sample.user.group], self._fold_of.get(sample.text, -1)})


def _sort(sample: GateSample) -> QuestionOrigin:
    return "own" if sample.own else "nonsense" if sample.nonsense else "other"


def find_minimum_deviation(finds: Sequence[tuple[float, bool]]) -> float:
    """Return the deviations from which `MATTERING` of these finds matter, or the default without any."""
    fewest, mattering = RELEVANT_DEVIATIONS, 0
    nearest_first = sorted(finds, key=lambda find: (-find[0], find[1]))
    for counted, (deviations, matters) in enumerate(nearest_first, start=1):
        mattering += matters
        if counted >= MINIMUM_HITS and mattering >= RELEVANT_SHARE * counted:
            fewest = deviations
    return fewest


def assign_folds(people: Sequence[GatePerson], nonsense: Sequence[str]) -> dict[str, int]:
    """The fold of each group, of what they ask and of each line of nonsense."""
    groups = {
        one: n % FOLDS for n, one in enumerate(dict.fromkeys(person.group for person in people))
    }
    texts = {text: groups[person.group] for text, person in collect_sensible_texts(people)}
    return groups | texts | {text: n % FOLDS for n, text in enumerate(nonsense)}


def _weights(known: Sequence[GateSample]) -> Numbers:
    """Return weights by which each source counts alike, and in it each sort as much as intended."""
    sorts = [
        (gate_sample.user.source, gate_sample.own, gate_sample.nonsense) for gate_sample in known
    ]
    counts = {sort: len(list(each)) for sort, each in groupby(sorted(sorts))}
    return np.array(
        [
            (OWN_WEIGH if own else NONSENSE_WEIGHS if nonsense else OTHERS_WEIGH)
            / counts[source, own, nonsense]
            for source, own, nonsense in sorts
        ]
    )

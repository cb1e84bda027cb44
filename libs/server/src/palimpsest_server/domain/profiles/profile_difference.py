"""The difference between two versions of a profile, sentence by sentence."""

import re
from collections.abc import Iterator
from difflib import SequenceMatcher

from palimpsest.api.resources import ProfileDifference, SentenceChange
from palimpsest.model.profile import Profile

_SENTENCE_END = re.compile(r"(?<=[。！？])|(?<=[.!?])\s+|\n+")


def compare_profiles(before: Profile, after: Profile) -> ProfileDifference:
    names = {*before.basic_info, *after.basic_info}
    pairs = {
        name: (before.basic_info.get(name), after.basic_info.get(name)) for name in sorted(names)
    }
    return ProfileDifference(
        before=before.version,
        after=after.version,
        sentences=tuple(_compare(split_profile(before), split_profile(after))),
        basic_info={name: pair for name, pair in pairs.items() if pair[0] != pair[1]},
    )


def forget_words(profile: Profile) -> Profile:
    """Return the profile as it was before anything was known: a version that says nothing."""
    return profile.model_copy(update={"version": 0, "narrative": "", "basic_info": {}})


def split_profile(profile: Profile) -> list[str]:
    """Return the sentences of a profile."""
    sentences = _SENTENCE_END.split(profile.narrative)
    return [sentence.strip() for sentence in sentences if sentence.strip()]


def _compare(before: list[str], after: list[str]) -> Iterator[SentenceChange]:
    matcher = SequenceMatcher(a=before, b=after, autojunk=False)
    for change, start, end, other_start, other_end in matcher.get_opcodes():
        if change == "equal":
            for sentence in before[start:end]:
                yield SentenceChange(change="same", sentence=sentence)
            continue
        for sentence in before[start:end]:
            yield SentenceChange(change="removed", sentence=sentence)
        for sentence in after[other_start:other_end]:
            yield SentenceChange(change="added", sentence=sentence)

"""A pattern that is compiled when it is first tried.

Compiling takes a millisecond or more. Of many hundred patterns whose words are looked for
first, a process tries few, and every process would compile them all as it starts.
"""

import re
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class LazyPattern:
    """A pattern and its flags, as much as a `PatternPrefilter` needs."""

    pattern: str
    flags: re.RegexFlag = re.NOFLAG

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        return re.compile(self.pattern, self.flags)

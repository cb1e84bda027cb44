"""Layouts of namespaces' vectors on a server: a collection of its own, or the pooled one.

A namespace may be moved while it is read and written. Nothing locks; every process keeps three rules:

    write     to the place that is read, then to the place that is copied to
    remove    from both, and from the place that was just left
    read      from one place: the old one, until the record names the new one

A process may use a layout for a while. Work done by a layout counts only while the layout is valid,
else it is repeated. A mover waits at each step until no older layout is valid anywhere.
"""

import time
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from palimpsest.model.scope import Layout, Namespace


@dataclass(frozen=True)
class LayoutTimes:
    """Times for which a process relies on the layout of a namespace, in seconds."""

    fresh: float = 2.0
    """Age at which a layout is read again."""
    valid: float = 30.0
    """Time from a layout's reading to the end of work done by it: several time-outs of a request."""
    grace: float = 35.0
    """Wait of a mover after each step. Longer than `valid`, because clocks differ."""


DEFAULT_TIMES = LayoutTimes()


@dataclass(frozen=True)
class VectorLayout:
    """Places of the vectors of one namespace."""

    layout: Layout
    """The place where they are read."""
    moving_to: Layout | None = None
    """The place to which they are being copied."""
    leaving: Layout | None = None
    """The place where they were before; its remaining points are being removed."""

    @property
    def held(self) -> tuple[Layout, ...]:
        """Return the places that may hold a point; the place that is read comes first."""
        places = (self.layout, self.moving_to, self.leaving)
        return tuple(place for place in places if place is not None)


@dataclass(frozen=True)
class LayoutView:
    """Layouts as they were read at one moment."""

    layouts: Mapping[Namespace, VectorLayout]
    valid_until: float
    """End of validity, by the monotonic clock of this process."""

    def __getitem__(self, namespace: Namespace) -> VectorLayout:
        return self.layouts[namespace]


class VectorLayouts(Protocol):
    @property
    def default(self) -> Layout:
        """Return the layout of a namespace without a record."""
        ...

    async def of(self, namespaces: Collection[Namespace]) -> LayoutView:
        """Return the layouts of these namespaces, a moment old at most."""
        ...

    async def assigned(self, namespaces: Collection[Namespace]) -> LayoutView:
        """Return the layouts for writing: a namespace without a layout gets one, which is recorded."""
        ...

    def is_valid(self, view: LayoutView) -> bool:
        """Return whether work done by this view counts."""
        ...

    async def adopt(self, names: Iterable[str]) -> None:
        """Record namespaces, by physical names, whose own collections are older than the records."""
        ...

    async def own(self) -> frozenset[str]:
        """Return the physical names of the namespaces that are recorded with a collection of their own."""
        ...

    async def release(self, namespace: Namespace) -> None:
        """Drop the record of a namespace whose own collection is gone, if it is not being moved."""
        ...


class FixedLayouts:
    """The same layout for all namespaces, which nobody moves and nobody records."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout

    @property
    def default(self) -> Layout:
        return self._layout

    async def of(self, namespaces: Collection[Namespace]) -> LayoutView:
        return LayoutView(dict.fromkeys(namespaces, VectorLayout(self._layout)), float("inf"))

    async def assigned(self, namespaces: Collection[Namespace]) -> LayoutView:
        return await self.of(namespaces)

    def is_valid(self, _view: LayoutView) -> bool:
        return True

    async def adopt(self, names: Iterable[str]) -> None:
        """Record nothing."""

    async def own(self) -> frozenset[str]:
        return frozenset()

    async def release(self, namespace: Namespace) -> None:
        """Record nothing."""


class LayoutCache:
    """Layouts that were read lately, each with the moment of its reading."""

    def __init__(self, times: LayoutTimes, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._times = times
        self._monotonic = monotonic
        self._known: dict[Namespace, tuple[float, VectorLayout]] = {}

    def now(self) -> float:
        return self._monotonic()

    def missing(self, namespaces: Iterable[Namespace]) -> list[Namespace]:
        """Return the namespaces whose layouts have to be read again."""
        oldest = self.now() - self._times.fresh
        return [
            namespace
            for namespace in dict.fromkeys(namespaces)
            if (known := self._known.get(namespace)) is None or known[0] < oldest
        ]

    def keep(self, layouts: Mapping[Namespace, VectorLayout], read_at: float) -> None:
        if len(self._known) + len(layouts) > _MAX_CACHED:
            self._known.clear()
        self._known |= {namespace: (read_at, layout) for namespace, layout in layouts.items()}

    def forget(self, namespaces: Iterable[Namespace]) -> None:
        for namespace in namespaces:
            self._known.pop(namespace, None)

    def view(
        self, namespaces: Collection[Namespace], read: Mapping[Namespace, VectorLayout], at: float
    ) -> LayoutView:
        """Return a view of these namespaces, from layouts read at that moment and from cached ones."""
        found = {
            namespace: (at, read[namespace]) if namespace in read else self._known[namespace]
            for namespace in namespaces
        }
        oldest = min((moment for moment, _ in found.values()), default=at)
        layouts = {namespace: layout for namespace, (_, layout) in found.items()}
        return LayoutView(layouts, oldest + self._times.valid)

    def is_valid(self, view: LayoutView) -> bool:
        return self.now() <= view.valid_until


_MAX_CACHED = 10_000

"""Icons: strokes on a field of 24 by 24, by the name of what they stand for."""

ICONS = {
    # Views
    "memories": "M5 4h14v16H5z M9 9h6 M9 13h6 M9 17h3",
    "timeline": "M4 12h16 M7 8v8 M13 6v12 M18 9v6",
    "recall": "M10 4a6 6 0 1 0 0 12a6 6 0 0 0 0-12 M15 15l5 5",
    "agents": "M3 12c3-5 6-7 9-7s6 2 9 7c-3 5-6 7-9 7s-6-2-9-7 M12 9a3 3 0 1 0 0 6a3 3 0 0 0 0-6",
    "questions": "M4 5h16v11H10l-4 4v-4H4z M10 9a2 2 0 1 1 3 1.500c-1 .5-1 1-1 1.500 M12 14v.5",
    "conversations": "M4 5h16v11H10l-4 4v-4H4z",
    "profile": "M12 4a4 4 0 1 0 0 8a4 4 0 0 0 0-8 M4 20c1-5 4-6 8-6s7 1 8 6",
    "todos": "M4 6l2 2l3-4 M4 15l2 2l3-4 M12 7h8 M12 16h8",
    "extraction": "M6 3h12v8l-6 5l-6-5z M12 16v5",
    "playground": "M4 5h16v10H4z M8 19h8 M12 15v4",
    "graph": "M6 6l6 6l7-3 M12 12l-2 7 M6 4a2 2 0 1 0 0 4a2 2 0 0 0 0-4 M19 7a2 2 0 1 0 0 4a2 2 0 0 0 0-4 M10 17a2 2 0 1 0 0 4a2 2 0 0 0 0-4",
    "statistics": "M4 20h16 M7 20v-7 M12 20V5 M17 20v-10",
    "reports": "M6 3h9l4 4v14H6z M9 12h6 M9 16h6",
    "ledger": "M5 4h14v16H5z M5 9h14 M10 9v11",
    "settings": "M4 7h10 M18 7h2 M4 17h2 M10 17h10 M16 5v4 M8 15v4",
    "keys": "M8 8a4 4 0 1 0 0 8a4 4 0 0 0 0-8 M12 12h9 M17 12v4 M21 12v3",
    "webhooks": "M4 12h9 M9 8l4 4l-4 4 M16 5h4v14h-4",
    "exchange": "M4 8h14 M14 4l4 4l-4 4 M20 16H6 M10 12l-4 4l4 4",
    "erase": "M5 7h14 M9 7V4h6v3 M7 7l1 13h8l1-13 M10 11v5 M14 11v5",
    "operators": "M4 5h16v6H4z M4 13h16v6H4z M8 8h1 M8 16h1",
    "help": "M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18 M9 9a3 3 0 1 1 4 3c-1 0-1 1-1 2 M12 17v.5",
    # Kinds of memory
    "preference": "M12 20C5 14 4 11 4 9a4 4 0 0 1 8-1a4 4 0 0 1 8 1c0 2-1 5-8 11z",
    "fact": "M12 4a6 6 0 0 0-3 11v3h6v-3a6 6 0 0 0-3-11 M10 21h4",
    "person": "M12 4a4 4 0 1 0 0 8a4 4 0 0 0 0-8 M4 20c1-5 4-6 8-6s7 1 8 6",
    "goal": "M12 4a8 8 0 1 0 0 16a8 8 0 0 0 0-16 M12 8a4 4 0 1 0 0 8a4 4 0 0 0 0-8 M12 12v.5",
    "event": "M5 6h14v14H5z M5 10h14 M9 3v4 M15 3v4",
    "decision": "M12 21v-7 M12 14L6 6 M12 14l6-8 M6 10V6h4 M18 10V6h-4",
    "conclusion": "M5 12l5 5L20 7",
    "action_item": "M5 5h14v14H5z M8 12l3 3l5-6",
    "lesson": "M12 4L3 19h18z M12 10v4 M12 16v.5",
    "skill": "M12 3l2.5 6H21l-5 4l2 7l-6-4l-6 4l2-7l-5-4h6.500z",
    "pattern": "M4 8c3-4 5-4 8 0s5 4 8 0 M4 16c3-4 5-4 8 0s5 4 8 0",
    "insight": "M3 12c5-8 13-8 18 0c-5 8-13 8-18 0 M12 9.500a2.500 2.500 0 1 0 0 5a2.500 2.500 0 0 0 0-5",
    "feedback": "M4 5h16v11H10l-4 4v-4H4z M9 11h6",
    "context": "M12 3c4 0 6 3 6 6c0 5-6 12-6 12S6 14 6 9c0-3 2-6 6-6 M12 8v2",
    # Actions
    "menu": "M4 7h16 M4 12h16 M4 17h16",
    "close": "M6 6l12 12 M18 6L6 18",
    "search": "M10 4a6 6 0 1 0 0 12a6 6 0 0 0 0-12 M15 15l5 5",
    "pin": "M9 3h6l-1 7l4 4H6l4-4z M12 14v7",
    "edit": "M4 20l1-4L16 5l3 3L8 19z",
    "forget": "M4 4l16 16 M8 7h11l-1 9 M16 20H7L6 10",
    "restore": "M5 12a7 7 0 1 1 2 5 M5 7v5h5",
    "confirm": "M5 12l5 5L20 7",
    "reject": "M6 6l12 12 M18 6L6 18",
    "more": "M6 12h.5 M12 12h.5 M18 12h.5",
    "user": "M12 4a4 4 0 1 0 0 8a4 4 0 0 0 0-8 M4 20c1-5 4-6 8-6s7 1 8 6",
    "empty": "M4 13l3-8h10l3 8v6H4z M4 13h5l1 3h4l1-3h5",
}

_OTHER = "M12 5a7 7 0 1 0 0 14a7 7 0 0 0 0-14"


def find_icon(name: str) -> str:
    """Return the path of an icon; a circle for a name that has none, such as a new kind."""
    return ICONS.get(name, _OTHER)

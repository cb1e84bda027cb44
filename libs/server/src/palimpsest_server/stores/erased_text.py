"""The text that stands in place of erased content."""

ERASED_TEXT = "[erased]"

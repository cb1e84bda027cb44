"""What stands where something was erased."""

ERASED_TEXT = "[erased]"

"""Choose the pictures that a model may be shown, and the addresses stored as references."""

import re
from collections.abc import Iterable

from palimpsest.model.turn import ImageReference, Medium

MAXIMUM_REFERENCE_CHARACTERS = 2_048
"""Longest address. A longer one is the picture itself, which the turn keeps."""

_ENCLOSED = re.compile(r"data:image/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+={0,2}")
_REACHABLE = re.compile(r"https://[^\s/?#@\[\]]+(?:[/?#]\S*)?")


def split_data_url(url: str) -> tuple[str, str] | None:
    """Return media type and base64 of a picture given as a data URL; None for any other address."""
    if not _ENCLOSED.fullmatch(url):
        return None
    header, _, data = url.partition(",")
    return header.removeprefix("data:").removesuffix(";base64"), data


def is_viewable_picture(image: ImageReference) -> bool:
    """Return whether a model can be shown this picture: given with the message, or at an https address.

    Videos, addresses with a name and password, and redacted addresses are refused.
    """
    if image.medium is not Medium.IMAGE or "[redacted:" in image.url:
        return False
    if split_data_url(image.url):
        return True
    return (
        len(image.url) <= MAXIMUM_REFERENCE_CHARACTERS
        and _REACHABLE.fullmatch(image.url) is not None
    )


def collect_picture_references(images: Iterable[ImageReference]) -> tuple[str, ...]:
    """Return the addresses of pictures, for viewing them again."""
    return tuple(
        dict.fromkeys(
            image.url for image in images if len(image.url) <= MAXIMUM_REFERENCE_CHARACTERS
        )
    )

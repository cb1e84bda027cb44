"""Which pictures a model may be shown, and which addresses are kept."""

import pytest

from palimpsest.model.turn import ImageReference, Medium
from palimpsest_server.domain.pictures import (
    collect_picture_references,
    is_viewable_picture,
    split_data_url,
)

DOT = "data:image/png;base64,iVBORw0KGgo="


@pytest.mark.parametrize(
    ("url", "seen"),
    [
        ("https://example.com/cat.png", True),
        ("https://example.com/cat.png?width=200#tail", True),
        (DOT, True),
        ("http://example.com/cat.png", False),
        ("https://ann:secret@example.com/cat.png", False),
        ("https://[::1]/cat.png", False),
        ("file:///etc/passwd", False),
        ("image:D1:3", False),
        ("data:text/html;base64,PGI+", False),
        ("data:image/png;base64,not base64", False),
        ("https://example.com/?key=[redacted:token]", False),
        ("https://example.com/" + "x" * 3_000, False),
        ("", False),
    ],
)
def test_what_may_be_seen(url: str, seen: bool) -> None:
    assert is_viewable_picture(ImageReference(url=url)) is seen
    assert not is_viewable_picture(ImageReference(url=url, medium=Medium.VIDEO))


def test_what_is_enclosed_has_its_type() -> None:
    assert split_data_url(DOT) == ("image/png", "iVBORw0KGgo=")
    assert split_data_url("https://example.com/cat.png") is None


def test_addresses_are_kept_once_and_pictures_themselves_are_not() -> None:
    urls = ("https://example.com/a.png", "clip:7", "https://example.com/a.png", DOT + "A" * 4_000)
    images = [ImageReference(url=url) for url in urls]
    assert collect_picture_references(images) == ("https://example.com/a.png", "clip:7")


def test_what_is_said_of_a_picture_is_said_once() -> None:
    picture = ImageReference(url="u", caption="Our cat", alt="Our cat")
    assert picture.words == ("Our cat",)
    assert ImageReference(url="u", caption=" ", alt="An orange kitten").words == (
        "An orange kitten",
    )

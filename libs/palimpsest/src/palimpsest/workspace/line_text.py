"""Write the content of a memory as one line of Markdown, and read it back.

Most content stands in the line as it is. A line break becomes `<br>`. What a line cannot hold, such
as control characters or a space at its end, becomes a character reference. A backslash stands before
words of a memory that would be mistaken for one of these.
"""

import re

_ESCAPED = re.compile(r"\\(?=[\\<&\s\x00-\x1f\x7f-\x9f\ufeff]|$)|<(?=br>|!--)|&(?=#\d+;)")
"""Characters before which a backslash is written."""

_UNWRITABLE = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff]|^[^\\S\n]+|[^\\S\n]+$")

_READ = re.compile(r"\\([\\<&])|<br>|&#(\d+);")

MAXIMUM_CODE_POINT = 0x10FFFF


def write_line(content: str) -> str:
    """Return content in one line, from which `read_line` reads the same content."""
    escaped = _ESCAPED.sub(lambda match: f"\\{match[0]}", content)
    plain = _UNWRITABLE.sub(lambda match: "".join(f"&#{ord(sign)};" for sign in match[0]), escaped)
    return plain.replace("\n", "<br>")


def read_line(line: str) -> str:
    """Return the content that stands in a line."""
    return _READ.sub(_read_sign, line.strip())


def _read_sign(match: re.Match[str]) -> str:
    if match[0] == "<br>":
        return "\n"
    if match[2] is None:
        return match[1]
    code = int(match[2])
    is_character = code <= MAXIMUM_CODE_POINT and not 0xD800 <= code <= 0xDFFF
    return chr(code) if is_character else match[0]

"""Answers of both vendors as their servers stream them."""

from tests.support.models.chat_upstream import Chunk, UpstreamAnswer


def _completion(choice: bytes) -> bytes:
    head = b'{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":['
    return b"data: " + head + choice + b"]}\n\n"


def _event(name: bytes, fields: bytes) -> bytes:
    return b'event: %b\ndata: {"type":"%b"%b}\n\n' % (name, name, fields)


def _text(words: bytes) -> bytes:
    return _event(
        b"content_block_delta",
        b',"index":0,"delta":{"type":"text_delta","text":"%b"}' % words,
    )


_APPLE = _completion('{"index":0,"delta":{"content":"apple 🍎."}}'.encode())
_MIDDLE = _APPLE.index(b"\x8d")

OPENAI_CHUNKS: list[Chunk] = [
    _completion(b'{"index":0,"delta":{"role":"assistant","content":"Have an "}}'),
    # A chunk may end within a character, and hold several events.
    _APPLE[:_MIDDLE],
    _APPLE[_MIDDLE:] + _completion(b'{"index":0,"delta":{},"finish_reason":"stop"}'),
    b"data: [DONE]\n\n",
]

_MESSAGE = (
    b',"message":{"id":"m","type":"message","role":"assistant","model":"m","content":[],'
    b'"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}'
)
_STOPPED = b',"delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":5}'

ANTHROPIC_CHUNKS: list[Chunk] = [
    _event(b"message_start", _MESSAGE),
    _event(b"content_block_start", b',"index":0,"content_block":{"type":"text","text":""}')
    + _text(b"Have an "),
    _text(b"apple.") + _event(b"content_block_stop", b',"index":0'),
    _event(b"message_delta", _STOPPED) + _event(b"message_stop", b""),
]

COMPLETION = UpstreamAnswer(
    chunks=[
        b'{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,',
        b'"finish_reason":"stop","message":{"role":"assistant","content":"Have an apple."}}]}',
    ],
    media_type="application/json",
)

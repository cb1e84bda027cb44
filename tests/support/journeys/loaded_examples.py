"""Load what examples on our pages load: our client, and the frameworks that it stands behind."""

import gc
from contextlib import suppress
from importlib import import_module

_MODULES = (
    "mcp",
    "openai",
    "palimpsest.client",
    "palimpsest.integrations.anthropic_memory",
    "palimpsest.integrations.langgraph",
    "palimpsest.integrations.mem0",
    "palimpsest.integrations.openai_agents",
    "palimpsest.integrations.pydantic_ai",
)

for module in _MODULES:
    # The example that needs what is not installed says so.
    with suppress(ImportError):
        import_module(module)
gc.freeze()

"""Put the words of a model in the place of the best statement of a distillate."""

from palimpsest.model.bilingual_text import detect_language, shorten_to_summary
from palimpsest.model.distillate import Distillate


def reword_distillate(made: Distillate, content: str) -> Distillate:
    """Return the distillate with this content, and without a value that the content does not state."""
    candidate = made.candidate
    states_value = candidate.value is not None and candidate.value in content
    return made.model_copy(
        update={
            "candidate": candidate.model_copy(
                update={
                    "content": content,
                    "summary": shorten_to_summary(content),
                    "language": detect_language(content),
                    "attribute": candidate.attribute if states_value else None,
                    "value": candidate.value if states_value else None,
                }
            )
        }
    )

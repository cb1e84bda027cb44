"""Tell from its wording what a question asks for, in English and Chinese. Pure."""

"""What quietly bounds an answer, found by the theme of the question.

Who asks what to cook needs the allergy, who has a gift to find what the nephew likes, who has
something written how it is to be written. Such a question shares no word with these memories, and
an embedding model hardly places them nearer than any others.
"""

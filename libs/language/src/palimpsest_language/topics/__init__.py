"""Topics of everyday life, by which memories that constrain an answer are found.

A question what to cook needs the allergy, a search for a gift what the nephew likes, a request for
a letter how letters are to be written. Such a question shares no word with these memories, and an
embedding model hardly places them nearer than any others.
"""

"""Write what is remembered into a block of a prompt. Pure: texts in, text out."""

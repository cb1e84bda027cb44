"""What is written into a prompt out of what is remembered. Pure: texts in, text out."""

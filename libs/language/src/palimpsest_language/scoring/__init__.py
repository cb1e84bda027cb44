"""What the rules propose, and what they leave, weighed by what was learnt from golden dialogues."""

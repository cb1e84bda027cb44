"""What a conversation was about, in two or three sentences; and which account of it stands. Pure."""

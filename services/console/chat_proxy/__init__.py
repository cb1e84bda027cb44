"""The proxy of chats: passes them on to other vendors, with memories in the prompt."""

"""How several memories become fewer: the same thing said twice, and what nobody asks for. Pure."""

"""Attribution of statements that no rule parsed: by their topic and the values in them."""

"""Attribution of statements that no rule took apart: by topic, and by what is a value of it."""

"""Messages taken apart into what each says one thing."""

"""What is taken out of sight when it is no longer used: lifetimes, and policies by name. Pure."""

"""What people have done by hand."""

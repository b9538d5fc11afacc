"""What an operator would ask before and after a start, answered one finding at a time. Changes nothing anywhere."""

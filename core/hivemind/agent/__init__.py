"""Ask: what a model is told about a person's memory, what it may do there, and what becomes of its answer."""

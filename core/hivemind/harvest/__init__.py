"""Harvest: foreign conversations become sessions, archived messages and frames, in runs that can be undone."""

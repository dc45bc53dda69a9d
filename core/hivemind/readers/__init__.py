"""Readers of foreign files: decoding, safe archives, streamed JSON, and the child process they run in."""

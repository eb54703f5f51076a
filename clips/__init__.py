"""Pictures to call with: made in code, read from files, or taken from a camera."""

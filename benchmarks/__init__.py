"""One file a question; `rtc bench NAME` runs it."""

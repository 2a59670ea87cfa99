"""Workers: their heartbeats, and messages that there is work."""

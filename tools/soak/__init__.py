"""An hour of annotators on two hosts whose parts are killed, frozen and cut off in turn."""

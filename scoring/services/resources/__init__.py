"""Files that metrics need: adding, converting, removing them."""

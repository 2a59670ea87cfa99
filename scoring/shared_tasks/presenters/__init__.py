"""What pages of shared tasks draw."""

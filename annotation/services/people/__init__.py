"""Participants: membership, consent, background questions, exclusion and withdrawal."""

"""What builds made: test sets, paraphrases, ratings of tables, extrinsic evaluations."""

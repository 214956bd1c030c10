"""What a language model is asked about the talk, and what its answers become."""

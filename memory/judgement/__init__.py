"""What may become a memory: operations, evidence and the gate that admits them."""

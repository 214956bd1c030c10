"""What a model proposes to remember, checked against what people really said."""

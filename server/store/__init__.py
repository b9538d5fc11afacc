"""What is kept of rooms, and where: one Redis or Valkey behind the words of a room. Never looks into a record."""

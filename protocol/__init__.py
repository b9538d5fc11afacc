"""What travels between clients and the service: messages, codec, errors, schemas, the reference client."""

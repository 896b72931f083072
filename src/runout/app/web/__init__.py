"""The web explorer's server: FastAPI over the other layers, without poker logic of its own."""

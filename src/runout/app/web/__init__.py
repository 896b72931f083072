"""The web explorer's server: FastAPI over `analysis`, `games`, `cards` and `run`, without poker logic of its own."""

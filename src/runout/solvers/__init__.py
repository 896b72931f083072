"""Equilibrium solvers; a CFR variant is data."""

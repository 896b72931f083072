"""Policies, best responses and reports over solutions."""

"""Deep CFR and Single Deep CFR. The only part of Runout, with the torch backend, that imports torch."""

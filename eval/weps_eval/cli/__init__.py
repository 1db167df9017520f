"""The commands of eval, assembled by run_weps.py."""

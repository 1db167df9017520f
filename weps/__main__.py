"""``python -m weps``: the command line where the command ``weps`` is not on the path."""

import sys

from run_weps import main

sys.exit(main())

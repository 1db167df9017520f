"""The families of measures as they are declared, a module for each kind of arithmetic."""

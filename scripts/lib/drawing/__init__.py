"""How figures look and how they are written; knows no study."""

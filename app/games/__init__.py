"""Pure rules: no I/O, no clock, no framework, no global random."""

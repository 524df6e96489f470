//! The memory model: happens-before with scopes, races, barriers, initialisation, stale reads.

// The types of what callers pass and get, with units, ranges and defaults. Types only.
export {};

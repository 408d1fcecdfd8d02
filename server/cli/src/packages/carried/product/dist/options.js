// The types of everything authors pass to the decorators and helpers, with units, ranges and defaults.
// Must not know: how any of it is copied, checked or lowered; this file is types only.
//
// Keys of all kinds match ^[a-z][a-z0-9_.-]{0,63}$ unless said otherwise. One cent is 10,000 micro-dollars.
export {};

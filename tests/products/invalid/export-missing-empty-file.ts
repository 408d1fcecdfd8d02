// Nothing is declared here.
//? DEFAULT_EXPORT_MISSING
export {};

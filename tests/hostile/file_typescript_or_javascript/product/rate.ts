export const told = "ts";

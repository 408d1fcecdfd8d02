export const told = "js";

export const told = "file";

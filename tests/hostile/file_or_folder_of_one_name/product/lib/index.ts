export const told = "folder";

export const told = "told";
export const other = "other";

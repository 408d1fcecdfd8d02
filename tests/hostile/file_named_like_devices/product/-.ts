export const e = "e";

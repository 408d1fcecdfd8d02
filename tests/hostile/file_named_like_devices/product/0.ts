export const f = "f";

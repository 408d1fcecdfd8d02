export const c = "c";

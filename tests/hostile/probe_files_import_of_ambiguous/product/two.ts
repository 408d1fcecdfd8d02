export const same = "second";

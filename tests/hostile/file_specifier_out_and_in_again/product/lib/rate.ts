export const rate = 7;

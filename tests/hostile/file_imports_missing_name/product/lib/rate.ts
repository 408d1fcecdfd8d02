export const rate = 1;

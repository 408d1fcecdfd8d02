export const starter = 1900;

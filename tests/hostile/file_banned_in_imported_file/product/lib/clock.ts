export const now = Date.now();

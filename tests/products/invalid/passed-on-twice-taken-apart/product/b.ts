export const price = { free: true } as const;

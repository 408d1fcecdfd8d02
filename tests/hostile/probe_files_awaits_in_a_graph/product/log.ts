export const log: string[] = [];

export const told: string[] = [];

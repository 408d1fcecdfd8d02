export const runs: string[] = [];

export let count = 0;
export const raise = (): void => void count++;

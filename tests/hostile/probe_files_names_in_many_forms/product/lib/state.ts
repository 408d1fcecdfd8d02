let count = 0; export const n = () => ++count;

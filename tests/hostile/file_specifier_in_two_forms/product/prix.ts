export const [one, two, three, four, five, six] = [1, 2, 3, 4, 5, 6];

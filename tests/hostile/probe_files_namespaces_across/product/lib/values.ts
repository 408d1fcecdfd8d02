export const value = 5; export type Only = string; export let counter = 0; export const up = () => ++counter; export { value as "a text as a name" };

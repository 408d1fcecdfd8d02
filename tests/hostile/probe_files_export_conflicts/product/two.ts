export const two = "2", same = "second"; export default 2;

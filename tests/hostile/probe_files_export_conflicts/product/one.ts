export const one = "1", same = "first"; export default 1;

const ten = 10, two = 2, a = "spaced", b = "face", c = "nothing", d = "proto";
export { ten as "10", two as "9", a as "a b", b as "😀", c as "", d as "__proto__", ten as "\n", ten as "é", ten as "e\u0301", ten as "\uffff", ten as "constructor" };
export const then = 5;
export default "own";

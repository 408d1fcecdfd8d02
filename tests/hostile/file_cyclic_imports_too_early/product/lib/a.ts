import { b } from "./b";
export const a = "a";
export const told = a + b;

export * from "./a";
export * from "./b";
export { price } from "./a";

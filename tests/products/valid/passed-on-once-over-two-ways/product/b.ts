export * from "./a";
export { price as other } from "./a";

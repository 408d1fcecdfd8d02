export * from "./one"; export * from "./two"; export * as ns from "./one";

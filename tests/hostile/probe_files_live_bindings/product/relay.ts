export { count, up } from "./counter"; export { default as object } from "./counter";

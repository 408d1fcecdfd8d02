export * from "./prices";
export * as prices from "./prices";
export default 1;

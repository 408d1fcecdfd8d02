import * as prices from "./prices";
export { prices };
export type { Price } from "./prices";

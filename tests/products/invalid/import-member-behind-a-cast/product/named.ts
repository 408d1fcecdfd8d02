import * as prices from "./prices";
export { prices };

import { nope3 } from "./empty"; export const c = nope3;

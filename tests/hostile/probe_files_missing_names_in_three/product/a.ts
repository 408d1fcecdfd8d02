import { nope1 } from "./empty"; export const a = nope1;

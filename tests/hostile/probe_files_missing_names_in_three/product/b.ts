import { nope2 } from "./empty"; export const b = nope2;

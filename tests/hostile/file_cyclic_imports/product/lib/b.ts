import { entry } from "../product.config";
import { a } from "./a";
export const b = (): string => `b of ${a()} of ${entry()}`;

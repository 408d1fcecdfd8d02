import { raise } from "./state";
export const again = (): void => raise();

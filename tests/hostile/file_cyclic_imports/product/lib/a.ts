import { b } from "./b";
export function a(): string {
  return "a";
}
export const told = (): string => `a of ${b()}`;

import { readFileSync } from "node:fs";
export const text = readFileSync("/etc/passwd", "utf8");

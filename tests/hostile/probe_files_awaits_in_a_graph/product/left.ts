import { log } from "./log"; import { base } from "./base";
log.push("left"); await base; for (let i = 0; i < 3; i++) { await null; log.push(`left ${i}`); } export const left = "left";

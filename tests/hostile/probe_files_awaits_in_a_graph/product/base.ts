import { log } from "./log";
log.push("base"); await Promise.resolve(); log.push("base awaited"); export const base = Promise.resolve("of base"); base.then(() => log.push("base settled"));

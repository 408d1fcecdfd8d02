import { log } from "./log"; import { base } from "./base"; import "./sync"; import "./ring1";
log.push("right"); await null; log.push("right 1"); export const right = await base.then((x) => `right ${x}`);

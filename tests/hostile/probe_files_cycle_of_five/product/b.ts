import { log } from "./log"; import { c } from "./c"; import { a, constant } from "./a";
log.push(`b begins ${a()}`); try { log.push(constant); } catch (e) { log.push(e.message); }
export class B { n = c; } export let b = "b";

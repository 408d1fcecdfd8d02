import { log } from "./log"; import { b, B } from "./b"; import * as self from "./a";
log.push("a begins"); try { log.push(String(new B().n)); } catch (e) { log.push(e.message); } try { log.push(String(b)); } catch (e) { log.push(e.message); }
export function a() { return "function a"; } export const constant = "constant a"; log.push(`self ${Object.keys(self)}`);

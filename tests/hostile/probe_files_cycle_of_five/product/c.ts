import { log } from "./log"; import * as d from "./d"; import * as b from "./b";
log.push("c begins"); try { log.push(String(b.B)); } catch (e) { log.push(e.message); } try { log.push(JSON.stringify(Object.keys(b))); } catch (e) { log.push(e.message); } log.push(`${"B" in b} ${Reflect.ownKeys(b).map(String)}`); try { log.push(JSON.stringify(Reflect.getOwnPropertyDescriptor(b, "b"))); } catch (e) { log.push(e.message); }
export const c = d.default;

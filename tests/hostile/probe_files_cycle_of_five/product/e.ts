import { log } from "./log"; import d from "./d"; import { c } from "./c";
log.push("e begins"); try { log.push(d); } catch (e) { log.push(e.message); } try { log.push(c); } catch (e) { log.push(e.message); } try { c.x.y; } catch (e) { log.push(e.message); } try { (d as any)(); } catch (e) { log.push(e.message); }

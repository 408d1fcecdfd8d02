import { log } from "./log"; import "./ring2"; log.push("ring1"); await null; log.push("ring1 awaited");

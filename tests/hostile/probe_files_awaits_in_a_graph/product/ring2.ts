import { log } from "./log"; import "./ring1"; import "./left"; log.push("ring2"); await null; log.push("ring2 awaited");

import { log } from "./log"; import "./base"; log.push("sync");

import { log } from "./base"; log.push("third");

import { log } from "./log"; import "./e";
log.push("d begins"); export default "default of d";

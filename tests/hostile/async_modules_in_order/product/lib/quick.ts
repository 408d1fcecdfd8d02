import { told } from "./told";
told.push("quick begins");
await null;
told.push("quick ends");

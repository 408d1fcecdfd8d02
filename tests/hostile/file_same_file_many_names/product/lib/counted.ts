import { runs } from "./runs";
runs.push("counted");
export { runs };

export { default as table } from "./growth.json" with { "type": "json" };

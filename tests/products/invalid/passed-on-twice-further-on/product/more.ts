export * from "./all";

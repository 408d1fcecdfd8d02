import("../a"); import.meta; import "./gone"; import "https://example.com/x.ts"; export {};

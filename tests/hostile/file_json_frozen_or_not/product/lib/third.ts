import third from "../data.json" with { type: "json" };
export { third };

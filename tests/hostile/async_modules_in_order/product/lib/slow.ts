import { told } from "./told";
told.push("slow begins");
for (let i = 0; i < 5; i++) await null;
told.push("slow ends");

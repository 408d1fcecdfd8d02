// four files with syntax errors, banned imports and missing files: all are told, in order
import "./z";
import "./a";
import "./m/n";
import { Plan, Product } from "@svc/product";
@Product({ name: "x", origin: "https://api.example.com" })
export default class X { @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } }) free!: void; }
//? DYNAMIC_IMPORT
//? IMPORT_META
//? IMPORT_NOT_ALLOWED
//? IMPORT_NOT_FOUND
//? SYNTAX_ERROR
//? SYNTAX_ERROR

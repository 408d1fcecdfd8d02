// six files with syntax errors, banned imports and missing files: all are told, in order
import "./z";
import "./a";
import "./m/n";
import "fs";
//? IMPORT_NOT_ALLOWED
import "./nowhere";
//? IMPORT_NOT_FOUND
import { Plan, Product } from "@svc/product";
@Product({ name: "x", origin: "https://api.example.com" })
export default class X { @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } }) free!: void; }
//? SYNTAX_ERROR
//? SYNTAX_ERROR
//? DYNAMIC_IMPORT
//? IMPORT_META
//? IMPORT_NOT_FOUND
//? IMPORT_NOT_ALLOWED

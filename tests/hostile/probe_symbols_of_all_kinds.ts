// well-known symbols, the registry, descriptions and the texts of symbols
import { Plan, Product, Raw } from "@svc/product";

const attempt = (run) => {
  try {
    return String(run());
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
const names = Reflect.ownKeys(Symbol).map(String);
const symbols = [Symbol(), Symbol(""), Symbol(undefined), Symbol(null), Symbol("\ud800"), Symbol.for("a"), Symbol.for(""), Symbol.iterator, Object(Symbol("boxed")), Symbol.dispose, Symbol.asyncDispose, Symbol.metadata];
const told = [...names, ...symbols.flatMap((symbol) => [() => symbol.description, () => symbol.toString(), () => Symbol.keyFor(symbol), () => symbol + "", () => Number(symbol), () => !symbol, () => JSON.stringify({ [symbol]: symbol }), () => typeof symbol, () => symbol == Object(symbol)].map(attempt)), String(Symbol.for("a") === Symbol.for("a")), attempt(() => new Symbol()), attempt(() => Symbol.keyFor("a"))].map((text) => JSON.stringify(text));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}

// row 56: decorators called by hand in the other dialect's form make an ordinary product
import { Plan, Product } from "@svc/product";

class X {}
const metadata = {};
const context = (kind, name) => ({ kind, name, metadata, static: false, private: false, addInitializer() {} });
Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })(undefined, context("field", "free"));
Product({ origin: "https://api.example.com" })(X, context("class", "Forged"));
export default X;
//= ok product.name "Forged"

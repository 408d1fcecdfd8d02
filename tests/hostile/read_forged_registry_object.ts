// row 56: an object of the registry's shape as the export
import { Plan, Product } from "@svc/product";

export default {
  registryVersion: 1,
  sdkVersion: "0.1.0",
  className: "X",
  products: 1,
  declarations: [{ decorator: "Product", member: null, args: [{ name: "x", origin: "https://api.example.com" }] }],
  misuses: [],
};
//? DEFAULT_EXPORT_NOT_PRODUCT

import { Plan, Product } from "@svc/product";

const Acme = class {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
//^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ DECORATOR_NOT_APPLIED
  starter!: void;
};
Product({ origin: "https://api.example.com" })(Acme);
export default Acme;

import { Plan, Product } from "@svc/product";

const Acme = @Product({ origin: "https://api.example.com" }) class {
//           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ DECORATOR_NOT_APPLIED
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } }) starter!: void;
//^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ DECORATOR_NOT_APPLIED
};
export default Acme;

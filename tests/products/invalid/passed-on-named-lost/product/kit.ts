export { Meter, Plan, Product } from "@svc/product";

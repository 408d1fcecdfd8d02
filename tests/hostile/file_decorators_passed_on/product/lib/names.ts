export { Plan as Offer, Product as Thing } from "@svc/product";

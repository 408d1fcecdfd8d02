export { Plan as Tarif } from "@svc/product";

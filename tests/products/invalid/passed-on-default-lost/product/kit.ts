export { Plan as default } from "@svc/product";

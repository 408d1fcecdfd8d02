import { Plan } from "@svc/product";
export { Plan };

import { plan } from "./plans";
export const tarif = (key: string) => plan(`k-${key}`);

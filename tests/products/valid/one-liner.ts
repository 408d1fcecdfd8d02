import { Product } from "@svc/product";

@Product({ origin: "https://api.example.com" }) export default class OneLiner {}

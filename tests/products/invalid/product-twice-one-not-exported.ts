import { Product } from "@svc/product";

//? PRODUCT_TWICE
//? DEFAULT_EXPORT_MISSING
@Product({ origin: "https://eu.example.com", name: "eu" })
class Europe {}

@Product({ origin: "https://us.example.com", name: "us" })
class America {}

export { America, Europe };

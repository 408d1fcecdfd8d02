// row 56: the registry's text as the export
import { Plan, Product } from "@svc/product";

export default '{"registryVersion":1,"sdkVersion":"0.1.0","className":"X","products":1,"declarations":[],"misuses":[]}';
//? DEFAULT_EXPORT_NOT_PRODUCT

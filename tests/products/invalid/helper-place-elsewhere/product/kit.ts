import { Meter } from "@svc/product";
export const unit = (key: string) => Meter(key, { estimate: -1 });

export * as svc from "@svc/product";

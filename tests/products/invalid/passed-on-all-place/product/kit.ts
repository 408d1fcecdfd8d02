export * from "@svc/product";

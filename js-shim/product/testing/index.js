// Test files run in `svc test`, which has a module of its own under this name. What npm installs is for the editor and the type check.
throw new Error("`@svc/product/test` is for `product/**/*.test.ts`, which `svc test` runs");

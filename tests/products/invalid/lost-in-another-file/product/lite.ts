import { Meter } from "@svc/product";

export const rate = 60;
export const Lite = class {
  @Meter("compute")
  compute!: void;
};

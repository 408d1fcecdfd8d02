// What `@svc/product/test` is to a test file.
export {
  test, given, forAll, usage, equal, assert, moreNeverCostsLess, neverAboveMost, moveNeverChargesTwice, freeStaysFree,
} from "@svc/internal/testing";

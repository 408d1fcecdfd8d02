// row 56: a file inside the package
import { Plan, Product } from "@svc/product";

import { startRecording } from "@svc/product/src/drafts.ts";
//                             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ IMPORT_NOT_ALLOWED

@Product({ name: "x", origin: "https://api.example.com", displayName: String(startRecording) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}

// row 56: keys and names that try to end the JSON they stand in
import { Meter, Plan, Product } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com", displayName: '"}],"misuses":[]}\\' })
export default class X {
  @Meter('m"},{"decorator":"Plan","member":null,"args":["stolen"]},{"x":"')
//       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ KEY_FORM
  m!: void;

  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}

import { Meter, Plan, Product } from "@svc/product";

// Every form a key may have; the last one has 64 characters.

@Product({ origin: "https://api.example.com" })
export default class Keys {
  @Meter("m")
  m!: void;

  @Meter("a.b-c_d")
  abcd!: void;

  @Meter("x9")
  x9!: void;

  @Meter("trailing-")
  trailing!: void;

  @Meter("constructor")
  reserved!: void;

  @Meter("m234567890123456789012345678901234567890123456789012345678901234")
  long!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}

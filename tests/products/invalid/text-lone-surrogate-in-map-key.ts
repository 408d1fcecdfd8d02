import { Plan, Product, Resource } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class TextLoneSurrogateInMapKey {
  @Resource("slots")
  slots!: void;

  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    caps: { slots: 5, "\uD83D": 1 },
//        ^^^^^^^^^^^^^^^^^^^^^^^^^ TEXT_FORM
  })
  starter!: void;
}

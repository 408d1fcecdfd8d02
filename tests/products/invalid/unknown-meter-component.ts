import { Frontend, Meter, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
@Frontend({
  pages: [
    {
      path: "/",
      title: "Home",
      components: [
        { component: "usage_card", props: { meter: "compute" } },
        { component: "usage_card", props: { meter: "comptue" } },
//                                                 ^^^^^^^^^ UNKNOWN_METER
      ],
    },
  ],
})
export default class UnknownMeterComponent {
  @Meter("compute", { unit: "ms" })
  compute!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}

import { Meter, Plan, Product, Raw, creditGrant } from "@svc/product";

@Product({ origin: "https://api.example.com", name: "größe", displayName: "Größe 🚀", description: "日本語 · עברית · 👩‍👩‍👧" })
@Raw({ labels: { über: "oben", 名前: "なまえ", "🚀": "rocket" } })
export default class Größe {
  @Meter("compute", { display: "Rechenzeit ⏱️", unit: "µs" })
  rechenzeit!: void;

  @Plan("starter", {
    name: "Einstieg 🐣",
    limits: { requests: { rate: 60, interval: "minute" } },
    grants: [creditGrant({ amountCents: 500, label: "Guthaben 💶" })],
  })
  einstieg!: void;
}

import { Feature, Meter, Plan, Product } from "@svc/product";

/** 20 dollars, 50,000 e-mails included, 0.90 for each started thousand. */
@Product({ origin: "https://api.mail.example" })
export default class Mailer {
  @Meter("emails", { unit: "e-mail" })
  emails!: void;

  @Feature("send", { plans: ["pro"], routes: { "POST /v1/emails": { reports: "emails" } } })
  send!: void;

  @Plan("pro", {
    price: { amount: 2_000, currency: "usd", interval: "month" },
    limits: { requests: { rate: 600, interval: "minute" } },
    meter: { emails: { micros: 900_000, per: 1_000, round: "up", includedUnits: 50_000 } },
  })
  pro!: void;
}

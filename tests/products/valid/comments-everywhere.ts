import { Plan, Product } from "@svc/product";

/* A product, */ @Product(/* with options */ { origin: "https://api.example.com" /* and one origin */ }) // here
/** and a doc comment */
export default /* the */ class CommentsEverywhere {
  // A plan
  @Plan(/* its key */ "starter", /* its options */ { limits: { requests: { rate: 60, interval: "minute" } } } /* done */)
  /* between */ starter!: void; // behind
}

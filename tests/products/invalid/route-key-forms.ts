import { Feature, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class RouteKeyForms {
  @Feature("jobs", {
    plans: ["starter"],
    routes: {
      "": {},
//    ^^ ROUTE_KEY_FORM
      "GET": {},
//    ^^^^^ ROUTE_KEY_FORM
      "GET  /two-spaces": {},
//    ^^^^^^^^^^^^^^^^^^ ROUTE_KEY_FORM
      "GET\t/tab": {},
//    ^^^^^^^^^^^ ROUTE_KEY_FORM
      " GET /leading": {},
//    ^^^^^^^^^^^^^^^ ROUTE_KEY_FORM
      "GET /trailing ": {},
//    ^^^^^^^^^^^^^^^^ ROUTE_KEY_FORM
      "GET /slash/": {},
//    ^^^^^^^^^^^^^ ROUTE_KEY_FORM
      "GET //double": {},
//    ^^^^^^^^^^^^^^ ROUTE_KEY_FORM
      "GET /jobs/{}": {},
//    ^^^^^^^^^^^^^^ ROUTE_KEY_FORM
      "GET /jobs/{1}": {},
//    ^^^^^^^^^^^^^^^ ROUTE_KEY_FORM
      "GET /jobs/{job-id}": {},
//    ^^^^^^^^^^^^^^^^^^^^ ROUTE_KEY_FORM
      "GET /jobs/x{id}": {},
//    ^^^^^^^^^^^^^^^^^ ROUTE_KEY_FORM
      "GET /jobs/:id/{id": {},
//    ^^^^^^^^^^^^^^^^^^^ ROUTE_KEY_FORM
      "GET /jobs?state=open": {},
//    ^^^^^^^^^^^^^^^^^^^^^^ ROUTE_KEY_FORM
      "GET /jobs#top": {},
//    ^^^^^^^^^^^^^^^ ROUTE_KEY_FORM
      "GET /größe": {},
//    ^^^^^^^^^^^^ ROUTE_KEY_FORM
      "GET /v1/jobs HTTP/1.1": {},
//    ^^^^^^^^^^^^^^^^^^^^^^^ ROUTE_KEY_FORM
    },
  })
  jobs!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}

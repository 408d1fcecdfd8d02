import { Backend, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UrlFormsBackend {
  @Backend("a", { originUrl: "https://" })
//                           ^^^^^^^^^^ URL_FORM
  a!: void;

  @Backend("b", { originUrl: "http:/api.example.com" })
//                           ^^^^^^^^^^^^^^^^^^^^^^^ URL_FORM
  b!: void;

  @Backend("c", { originUrl: "//api.example.com" })
//                           ^^^^^^^^^^^^^^^^^^^ URL_FORM
  c!: void;

  @Backend("d", { originUrl: "https://api.example.com:99999" })
//                           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ URL_FORM
  d!: void;

  @Backend("e", { originUrl: "https://api.example.com:0" })
//                           ^^^^^^^^^^^^^^^^^^^^^^^^^^^ URL_FORM
  e!: void;

  @Backend("f", { originUrl: "https://api example.com" })
//                           ^^^^^^^^^^^^^^^^^^^^^^^^^ URL_FORM
  f!: void;

  @Backend("g", { originUrl: " https://api.example.com" })
//                           ^^^^^^^^^^^^^^^^^^^^^^^^^^ URL_FORM
  g!: void;

  @Backend("h", { originUrl: "https://api.example.com/a b" })
//                           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ URL_FORM
  h!: void;

  @Backend("i", { originUrl: "https://api.example.com\n" })
//                           ^^^^^^^^^^^^^^^^^^^^^^^^^^^ URL_FORM
  i!: void;

  @Backend("j", { originUrl: "https://:8080" })
//                           ^^^^^^^^^^^^^^^ URL_FORM
  j!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}

import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class TabsAndLongLines {
	@Plan("starter", {	limits:	{ requests: { rate: 60, interval: "minute" } },	name:	"\tTabs \"everywhere\" \u2028 and \0 a NUL" })
	starter!: void;
}

import { Plan, Product } from "@svc/product";

// A tab is one column.

@Product({ origin: "https://api.example.com" })
export default class PositionTabs {
	@Plan("starter", {
		limits: { requests: { rate: 60, interval: "minute" } },
		trialDays:	-1,
//           ^^ NUMBER_RANGE
	})
	starter!: void;
}

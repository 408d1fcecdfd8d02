const monthly = { amount: 1900, currency: "usd", interval: "month" } as const;
export { monthly as starter };
export const growth = monthly;
export interface Price {
  amount: number;
}
export type Other = Price;

export const price = { amount: 1900, currency: "usd", interval: "month" } as const;

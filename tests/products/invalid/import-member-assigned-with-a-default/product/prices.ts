export const starter = { amount: 1900, currency: "usd", interval: "month" } as const;
export const pro = starter;

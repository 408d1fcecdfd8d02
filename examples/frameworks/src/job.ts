// What is the same in all four.

export const secret = process.env["SVC_USAGE_SECRET"] ?? "a-secret-that-the-gateway-has-as-well";
export const port = Number(process.env["PORT"] ?? 3000);

/** The work, and what it used. */
export function run(): { job: { id: number }; ms: number } {
  return { job: { id: 1 }, ms: 125 };
}

// What an operator does once, for the examples: makes a business, builds and publishes a product, subscribes people, mints a
// deploy token. Against a running `svc serve`, whose address and operator token are in SVC_URL and SVC_OPERATOR_TOKEN.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * @param {{ folder: string, subscribers: { [subject: string]: string } }} options the folder that holds `product/`, and the
 *   plan of each subject
 */
export async function setUp({ folder, subscribers }) {
  const url = process.env.SVC_URL ?? "http://127.0.0.1:8787";
  const token = process.env.SVC_OPERATOR_TOKEN;
  if (token === undefined) {
    console.error("Start the service first, and give its operator token:\n\n  SVC_OPERATOR_TOKEN=<32 characters or more> svc serve\n  SVC_OPERATOR_TOKEN=<the same> npm start\n");
    process.exit(2);
  }

  async function post(path, body) {
    const response = await fetch(`${url}/v1/businesses${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(`${path}: ${answer.code}: ${answer.detail} ${JSON.stringify(answer.diagnostics ?? "")}`);
    return answer;
  }

  const files = {};
  for (const name of readdirSync(join(folder, "product"))) files[`product/${name}`] = readFileSync(join(folder, "product", name), "utf8");
  const { businessId: business } = await post("", { name: "Example" });
  const { buildId } = await post(`/${business}/builds`, { files });
  await post(`/${business}/releases`, { buildId });
  for (const [subject, plan] of Object.entries(subscribers)) await post(`/${business}/subscriptions`, { subject, plan });
  const { token: deployToken } = await post(`/${business}/tokens`, { kind: "deploy" });
  return { url, business, operatorToken: token, deployToken };
}

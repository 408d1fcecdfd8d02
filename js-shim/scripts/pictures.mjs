// Golden pictures: what a page looked like when it was reviewed, small enough that another machine's fonts make no difference, and large
// enough that a missing part, a wrong colour or a broken layout does. `GOLDEN=write` writes them anew.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("./pictures/", import.meta.url));
/** A picture's width, in pixels. */
const WIDTH = 160;
/** How far two pictures may be apart on average over all pixels and colours, in hundredths of the way from black to white. */
const APART_MAX = 0.8;
/** How much longer or shorter a page may be, in hundredths: lines break elsewhere in other fonts. */
const LENGTH_MAX = 8;

/** Takes a picture of a whole page, and holds it against the golden one of this name. `studio` is a blank page of the browser. */
export async function like(tab, studio, name) {
  const taken = await shrunk(studio, (await tab.screenshot({ fullPage: true })).toString("base64"));
  const file = `${folder}${name}.png`;
  if (process.env.GOLDEN === "write") {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, Buffer.from(taken, "base64"));
    return;
  }
  assert.ok(existsSync(file), `there is no picture ${name}: \`GOLDEN=write\` takes it, then look at it`);
  const { apart, longer } = await difference(studio, taken, readFileSync(file).toString("base64"));
  assert.ok(longer <= LENGTH_MAX && apart <= APART_MAX, `${name} looks otherwise: ${apart.toFixed(2)} apart, ${longer.toFixed(1)} longer or shorter; \`GOLDEN=write\` takes it anew`);
}

/** How far two golden pictures are apart. */
export function between(studio, one, other) {
  const read = (name) => readFileSync(`${folder}${name}.png`).toString("base64");
  return difference(studio, read(one), read(other)).then(({ apart, longer }) => ({ differ: apart > APART_MAX || longer > LENGTH_MAX, apart, longer }));
}

const drawing = `
  async function load(base64) {
    const image = new Image();
    image.src = "data:image/png;base64," + base64;
    await image.decode();
    return image;
  }
  function draw(image, width, height) {
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext("2d", { willReadFrequently: true });
    context.imageSmoothingQuality = "high";
    context.drawImage(image, 0, 0, width, height);
    return { canvas, pixels: context.getImageData(0, 0, width, height).data };
  }`;

const shrunk = (studio, base64) =>
  studio.evaluate(`(async () => {${drawing}
    const image = await load("${base64}");
    const { canvas } = draw(image, ${WIDTH}, Math.round((image.height / image.width) * ${WIDTH}));
    const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: "image/png" })).arrayBuffer());
    return btoa(String.fromCharCode(...bytes));
  })()`);

const difference = (studio, one, other) =>
  studio.evaluate(`(async () => {${drawing}
    const [one, other] = [await load("${one}"), await load("${other}")];
    const [first, second] = [one, other].map((image) => draw(image, other.width, other.height).pixels);
    let sum = 0;
    for (let at = 0; at < first.length; at++) sum += Math.abs(first[at] - second[at]);
    return { apart: (sum / (first.length * 0.75) / 255) * 100, longer: Math.abs(one.height / other.height - 1) * 100 };
  })()`);

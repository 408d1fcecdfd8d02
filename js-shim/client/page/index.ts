// The script of the portal's page, which the service serves (`make carried` builds it into server/api). The page is complete without it;
// with it, the bill stays fresh: this package fetches the preview, and when it says something else, the page is asked for anew, so that
// there is one way to show a bill. Knows nothing of amounts.

import { readBillPreview, type BillPreview } from "../src/preview.ts";
import { PreviewStore } from "../src/react/store.ts";
import { createSvc } from "../src/svc.ts";

/** How often the preview is fetched while the page is shown. */
const REFETCH_INTERVAL_MS = 30_000;

/** Not signed in, not allowed, no subscription. */
const OVER = [401, 403, 404];

const data = document.getElementById("preview");
const shown = data === null ? null : readBillPreview(JSON.parse(data.textContent ?? "null"));
const business = data?.dataset["business"];
if (shown !== null && business !== undefined) keepFresh(business, shown);

function keepFresh(business: string, shown: BillPreview): void {
  const store = new PreviewStore(createSvc({ baseUrl: "", business }));
  store.seed(shown, Date.now());
  /** The bill on the page; null for one that has to be drawn. */
  let drawn: BillPreview | null = shown;
  const stop = store.subscribe({ refetchInterval: REFETCH_INTERVAL_MS, refetchOnFocus: true }, async () => {
    const { data, error, isFetching } = store.snapshot();
    if (isFetching) return;
    if (error !== null && OVER.includes(error.status ?? 0)) {
      // There is no such bill for this session any more: it goes, and the page that comes says why.
      stop();
      return location.reload();
    }
    if (error !== null) return say(true);
    if (data === drawn) return say(false);
    drawn = (await redraw()) ? data : null;
  });
}

/** Shows or hides the word that the bill is not fresh. */
function say(stale: boolean): void {
  const notice = document.getElementById("stale");
  if (notice !== null) notice.hidden = !stale;
}

/** Puts in what the page says now, and answers whether it could; what has the focus keeps it. */
async function redraw(): Promise<boolean> {
  let response: Response;
  let html: string;
  try {
    response = await fetch(location.pathname, { headers: { accept: "text/html" }, cache: "no-store" });
    html = await response.text();
  } catch {
    say(true);
    return false;
  }
  const fresh = new DOMParser().parseFromString(html, "text/html");
  const main = fresh.querySelector("main");
  if (main === null || !response.ok) {
    say(true);
    return false;
  }
  const focused = document.activeElement?.id;
  document.title = fresh.title;
  document.querySelector("main")?.replaceWith(main);
  if (focused !== undefined && focused !== "") document.getElementById(focused)?.focus({ preventScroll: true });
  return true;
}

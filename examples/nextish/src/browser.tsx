// Makes the page live.

import { hydrateRoot } from "react-dom/client";
import { createSvc } from "@svc/client-js";
import { App, type AppProps } from "./app.tsx";

const { business, ...props } = JSON.parse(document.getElementById("props")?.textContent ?? "{}") as Omit<AppProps, "svc"> & { business: string };
// The page asks its own server, which knows by its cookie who is signed in.
const svc = createSvc({ baseUrl: "/api/svc", business });
hydrateRoot(document.getElementById("root") as HTMLElement, <App svc={svc} {...props} />);

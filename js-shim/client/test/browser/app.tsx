// The page of the browser's tests: one scenario each, named in the address.

import { Component, StrictMode, Suspense, useState, type ReactNode } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { createSvc, type Svc } from "@svc/client-js";
import { BillPreview, SvcProvider, useBillPreview, type BillPreviewResult, type UseBillPreviewOptions } from "@svc/client-js/react";
import { Page, type PageProps } from "./page.js";

declare global {
  interface Window {
    /** Every result the hook has returned. */
    results: BillPreviewResult[];
    refetch: () => Promise<BillPreviewResult>;
    setOptions: (options: UseBillPreviewOptions | null) => void;
    signIn: (business: string) => void;
    draws: number;
    hydrationErrors: string[];
  }
}
window.results = [];
window.draws = 0;
window.hydrationErrors = [];

const client = (business: string) => createSvc({ baseUrl: "/api/", business });
const parameters = new URLSearchParams(location.search);
const options = JSON.parse(parameters.get("options") ?? "{}") as UseBillPreviewOptions;

/** Shows what the hook returns as text, and keeps it. */
function Probe({ options }: { options: UseBillPreviewOptions }): ReactNode {
  const result = useBillPreview(options);
  window.results.push(result);
  window.refetch = result.refetch;
  const { data, error, status, isLoading, isFetching } = result;
  return <pre id="probe">{JSON.stringify({ fee: data?.recurringFeeCents ?? null, error: error?.code ?? null, status, isLoading, isFetching })}</pre>;
}

function Hooked(): ReactNode {
  const [current, setCurrent] = useState<UseBillPreviewOptions | null>(options);
  const [svc, setSvc] = useState<Svc>(() => client("b"));
  window.setOptions = setCurrent;
  window.signIn = (business) => setSvc(client(business));
  return <SvcProvider svc={svc}>{current !== null && <Probe options={current} />}</SvcProvider>;
}

class Boundary extends Component<{ children: ReactNode }, { code: string | null }> {
  override state = { code: null as string | null };
  static getDerivedStateFromError(error: { code: string }) {
    return { code: error.code };
  }
  override render() {
    if (this.state.code === null) return this.props.children;
    return <button id="again" onClick={() => this.setState({ code: null })}>{this.state.code}</button>;
  }
}

function Suspended(): ReactNode {
  const [svc] = useState(() => client("b"));
  return (
    <SvcProvider svc={svc}>
      <Boundary>
        <Suspense fallback={<p id="fallback">waiting</p>}>
          <Probe options={{ ...options, suspense: true }} />
        </Suspense>
      </Boundary>
    </SvcProvider>
  );
}

const shared = client("b");
const scenes: { [name: string]: () => ReactNode } = {
  hook: () => <Hooked />,
  suspense: () => <Suspended />,
  shared: () => (
    <SvcProvider svc={shared}>
      <Probe options={options} />
      <BillPreview />
      <BillPreview />
    </SvcProvider>
  ),
  component: () => <Page svc={client("b")} options={options} />,
};

const root = document.getElementById("root") as HTMLElement;
const props = document.getElementById("props")?.textContent;
if (props) {
  hydrateRoot(root, <StrictMode><Page {...(JSON.parse(props) as PageProps)} svc={client("b")} /></StrictMode>, {
    onRecoverableError: (error) => window.hydrationErrors.push(String(error)),
  });
} else {
  createRoot(root).render(<StrictMode>{scenes[parameters.get("scene") ?? ""]?.()}</StrictMode>);
}

// A page with the component, as server and browser both render it.

import { Suspense, type ReactNode } from "react";
import type { Svc } from "@svc/client-js";
import { BillPreview, SvcProvider, type BillPreviewProps } from "@svc/client-js/react";

export interface PageProps {
  svc: Svc;
  options: BillPreviewProps;
}

export function Page({ svc, options }: PageProps): ReactNode {
  return (
    <SvcProvider svc={svc}>
      <main>
        <h1>Account</h1>
        <Suspense fallback={<p id="fallback">waiting</p>}>
          <BillPreview {...options} />
        </Suspense>
      </main>
    </SvcProvider>
  );
}

// The page, as server and browser both render it.

import { SvcProvider, BillPreview } from "@svc/client-js/react";
import type { BillPreview as Bill, Svc } from "@svc/client-js";

export interface AppProps {
  svc: Svc;
  user: string;
  bill: Bill | null;
  /** When the server fetched the bill: milliseconds since 1970. */
  billAt: number;
}

export function App({ svc, user, bill, billAt }: AppProps) {
  return (
    <SvcProvider svc={svc}>
      <main>
        <h1>Account of {user}</h1>
        <BillPreview {...(bill === null ? {} : { initialData: bill, initialDataUpdatedAt: billAt })} refetchInterval={5_000} />
      </main>
    </SvcProvider>
  );
}

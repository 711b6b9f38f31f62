import type { CallDaemon } from "./answer.js";
import { createSubscriptionHost } from "./create-subscription-host.js";

/** Tells whether a daemon fetches subscriptions from the loopback interface. Rejects when no host can be started. */
export type FetchProbe = () => Promise<boolean>;

/** Makes a probe that asks for a preview of a subscription of its own, once; later it knows the answer. */
export function createFetchProbe(callDaemon: CallDaemon): FetchProbe {
  let known: Promise<boolean> | undefined;
  return () => {
    known ??= fetches(callDaemon);
    return known;
  };
}

async function fetches(callDaemon: CallDaemon): Promise<boolean> {
  const body = "trojan://Yc2sV9eA@zrh.trey.example:443#Zurich\n";
  const host = await createSubscriptionHost({ kind: "content", headers: { "content-type": "text/plain" }, body });
  try {
    await callDaemon("ProxySubscriptions/PreviewImport", { url: `${host.origin}/subscription` });
    return host.requests.length > 0;
  } finally {
    await host.close();
  }
}

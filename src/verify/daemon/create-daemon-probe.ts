import type { Answer, CallDaemon } from "./answer.js";
import { createSubscriptionHost } from "./create-subscription-host.js";

/**
 * Tells what a daemon does whatever the case. Asks it when that is needed, and once. Rejects only when no host can be started, or when
 * it is aborted.
 */
export interface DaemonProbe {
  /** Whether it fetches subscriptions from the loopback interface. */
  readonly fetches: () => Promise<boolean>;
  /** Whether it refuses a preview of a subscription and LoginCancel. From such a daemon an error shows nothing of what it is about. */
  readonly refusesAll: () => Promise<boolean>;
}

/** Makes a probe. `createCall` makes what it calls the daemon with, each time with a deadline of its own. */
export function createDaemonProbe(createCall: () => CallDaemon): DaemonProbe {
  const preview = once(() => previewOwn(createCall()));
  const cancel = once(() => createCall()("MeshControlService/LoginCancel", {}));
  return {
    fetches: async () => (await preview()).didFetch,
    refusesAll: async () => (await preview()).answer.kind === "error" && (await cancel()).kind === "error",
  };
}

function once<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | undefined;
  return () => {
    result ??= work();
    return result;
  };
}

async function previewOwn(callDaemon: CallDaemon): Promise<{ readonly answer: Answer; readonly didFetch: boolean }> {
  const body = "trojan://Yc2sV9eA@zrh.trey.example:443#Zurich\n";
  const host = await createSubscriptionHost({ kind: "content", headers: { "content-type": "text/plain" }, body });
  try {
    const answer = await callDaemon("ProxySubscriptions/PreviewImport", { url: `${host.origin}/subscription` });
    return { answer, didFetch: host.requests.length > 0 };
  } finally {
    await host.close();
  }
}

import type { DaemonProbes } from "../../contract/rpc/cases.js";
import { serveHost } from "../run/serve-host.js";
import type { Answer, CallDaemon } from "./answer.js";

/**
 * Finds out what a daemon does regardless of the case. Calls it on demand, and once for each question. Rejects only if no host can be
 * started, or if it is aborted.
 */
export interface DaemonProbe {
  /** Whether the daemon fetches subscriptions from the loopback interface. */
  readonly fetches: () => Promise<boolean>;
  /** Whether the daemon refuses the calls of the probes `fetch` and `refusal`. Its errors then say nothing about their cases. */
  readonly refusesAll: () => Promise<boolean>;
}

/** Creates a probe. `createCall` makes a function that calls the daemon, each with its own deadline. */
export function createDaemonProbe(createCall: () => CallDaemon, probes: DaemonProbes): DaemonProbe {
  const fetch = once(() => fetchOwn(createCall(), probes.fetch));
  const refusal = once(() => createCall()(probes.refusal, {}));
  return {
    fetches: async () => (await fetch()).didFetch,
    refusesAll: async () => (await fetch()).answer.kind === "error" && (await refusal()).kind === "error",
  };
}

function once<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | undefined;
  return () => {
    result ??= work();
    return result;
  };
}

async function fetchOwn(
  callDaemon: CallDaemon,
  rpc: DaemonProbes["fetch"],
): Promise<{ readonly answer: Answer; readonly didFetch: boolean }> {
  const body = "trojan://Yc2sV9eA@zrh.trey.example:443#Zurich\n";
  const host = await serveHost({ kind: "content", headers: { "content-type": "text/plain" }, body });
  try {
    const answer = await callDaemon(rpc, { url: `${host.origin}/subscription` });
    return { answer, didFetch: host.requests.length > 0 };
  } finally {
    await host.close();
  }
}

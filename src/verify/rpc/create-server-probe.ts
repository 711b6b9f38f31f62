import type { JsonObject } from "@bufbuild/protobuf";
import { once } from "../../base/once.js";
import { mapTexts } from "../../contract/map-texts.js";
import type { RpcCase } from "../../contract/rpc/cases.js";
import { emptyRequest, type RpcContract } from "../../contract/rpc/contract.js";
import { hasUrl, hostOf } from "../../contract/rpc/evidence.js";
import type { CallRpc, RpcAnswer } from "../../judge/rpc/answer.js";
import { localizeUrl, serveHost } from "../run/serve-host.js";

/**
 * Finds out what a server does regardless of the case. Calls it on demand, and once for each question. Rejects only if no host can be
 * started, or if it is aborted.
 */
export interface ServerProbe {
  /** Whether the server fetches from the loopback interface. False if the contract has no probe for it. */
  readonly fetches: () => Promise<boolean>;
  /** Whether the server refuses the calls of the probes `fetch` and `refusal`. Its errors then say nothing about their cases. */
  readonly refusesAll: () => Promise<boolean>;
}

/**
 * Creates a probe. `createCall` makes a function that calls the server, each with its own deadline. What only an RPC shows that is not
 * `isAllowed` counts as false.
 */
export function createServerProbe(
  createCall: () => CallRpc,
  contract: RpcContract,
  isAllowed: (rpc: string) => boolean = () => true,
): ServerProbe {
  const example = contract.cases.find((one) => isAllowed(one.rpc) && showsFetching(one, contract));
  const fetch = once(async () => (example === undefined ? undefined : fetchAs(example, createCall())));
  const refusal = once(async () =>
    contract.probes.refusal === undefined || !isAllowed(contract.probes.refusal)
      ? undefined
      : createCall()(contract.probes.refusal, emptyRequest(contract, contract.probes.refusal)),
  );
  return {
    fetches: async () => (await fetch())?.didFetch === true,
    refusesAll: async () => (await fetch())?.answer.kind === "error" && (await refusal())?.kind === "error",
  };
}

/** Whether a case of the probe `fetch` has a host with content, a reply and no further conditions. */
function showsFetching(one: RpcCase, contract: RpcContract): boolean {
  const { rpc, given = [], reply, request } = one;
  const isPlain = reply !== undefined && given.length === 1 && hostOf(one)?.kind === "content";
  return rpc === contract.probes.fetch && isPlain && hasUrl(request);
}

/** Makes the call of a case alone. */
async function fetchAs(
  one: RpcCase,
  callRpc: CallRpc,
): Promise<{ readonly answer: RpcAnswer; readonly didFetch: boolean }> {
  const served = hostOf(one);
  if (served === undefined) throw new Error(`Case ${one.name} has no host`);
  const host = await serveHost(served);
  try {
    const request = mapTexts(one.request, (text) => localizeUrl(text, host.origin)) as JsonObject;
    const answer = await callRpc(one.rpc, request);
    return { answer, didFetch: host.requests.length > 0 };
  } finally {
    await host.close();
  }
}

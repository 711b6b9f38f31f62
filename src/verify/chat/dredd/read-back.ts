import type { Compared, ReadBack } from "../../../contract/chat/read-back.js";
import { parseJson } from "../../../parse-json.js";
import type { Exchange } from "../../check.js";
import type { Mask } from "../../excerpt.js";
import { caseRequest } from "../exchange/case-request.js";
import { describeExchange } from "../exchange/describe-exchange.js";
import { sendRequest } from "../exchange/send-request.js";
import { describeChange } from "../judge/describe-change.js";
import { isOutsider } from "../states/callers.js";
import type { ReadyCase } from "./prepare-case.js";

/** The result of a read by one caller. */
export interface Reading {
  readonly caller: string;
  readonly body: unknown;
  /** Describes the exchange, which takes longer than the comparison. */
  readonly describe: () => Promise<Exchange>;
}

/** A change that a refused request made. */
export interface ReadChange {
  readonly problem: string;
  /** The exchanges before and after. */
  readonly trace: readonly Exchange[];
}

/** Reads as the caller of a case and as the one that the contract names. Omits those whose read fails. */
export async function readAsCallers(
  { planned, accounts, mask }: ReadyCase,
  readBack: ReadBack,
  { apiUrl, timeoutMs }: { readonly apiUrl: string; readonly timeoutMs: number },
): Promise<Reading[]> {
  const callers = [...new Set([planned.testCase.as, readBack.as])].filter((caller) => !isOutsider(caller));
  const read = async (caller: string): Promise<Reading[]> => {
    const query = { path: {}, query: readBack.with, header: {} };
    const request = await caseRequest({ operationId: readBack.call, request: query }, apiUrl, accounts[caller]);
    const limits = { timeoutMs, signal: new AbortController().signal };
    const response = await sendRequest(request, limits).catch(() => undefined);
    if (response?.status !== 200) return [];
    const shown = { ...response, headers: Object.fromEntries(response.headers) };
    return [{ caller, body: parseJson(response.text), describe: () => describeExchange(request, shown, mask) }];
  };
  return (await Promise.all(callers.map(read))).flat();
}

/** Finds what a refused request changed for a caller; undefined if nothing changed. */
export async function findReadChange(
  before: readonly Reading[],
  after: readonly Reading[],
  compared: Compared,
  mask: Mask,
): Promise<ReadChange | undefined> {
  for (const old of before) {
    const current = after.find(({ caller }) => caller === old.caller);
    if (current === undefined) continue;
    const problem = describeChange(old.caller, old.body, current.body, compared, mask);
    if (problem === undefined) continue;
    return { problem, trace: await Promise.all([old, current].map((reading) => reading.describe())) };
  }
  return undefined;
}

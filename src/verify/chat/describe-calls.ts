import type { Exchange } from "../check.js";
import type { Mask } from "../excerpt.js";
import type { HttpRequest } from "./curl-line.js";
import { describeExchange, type HttpResponse } from "./describe-exchange.js";
import type { SetupCall } from "./states-client.js";

/** A call, and what has to be done before it can be repeated. */
export interface DescribedCall {
  readonly request: HttpRequest;
  /** Left out when there was none. */
  readonly response?: HttpResponse;
  /** The setups of its states, in their order. */
  readonly setups: readonly SetupCall[];
  /** Whose key it was sent with. Left out when with none, or with one that no setup returned. */
  readonly caller?: string;
  readonly mask: Mask;
}

/** The setups of a call and then the call itself, as text for people; its command says which key stands for `***`. */
export async function describeCalls({ request, response, setups, caller, mask }: DescribedCall): Promise<Exchange[]> {
  const before = await Promise.all(setups.map((setup) => describeExchange(setup.request, setup.response, mask)));
  const call = await describeExchange(request, response, mask);
  if (caller === undefined || before.length === 0) return [...before, call];
  const note = `*** is credentials.${caller}.api_key in the answer to POST /states; another setup has other ids`;
  return [...before, { ...call, command: `${call.command} # ${note}` }];
}

import type { RpcContract } from "../../contract/rpc/contract.js";
import { isSet } from "../../contract/rpc/messages.js";
import type { CoverageItem } from "../../verify/model/coverage.js";
import type { CoverageCounter } from "../judge/coverage.js";
import type { ReadCall } from "./read-call.js";

const titles = { rpcs: "RPCs", fields: "request fields", codes: "error codes", protocols: "protocols" } as const;

/** Lists everything that calls can show: of the codes, those of the cases of the contract. */
export function coverageItems({ methods, cases }: RpcContract): Record<string, Omit<CoverageItem, "count">[]> {
  return {
    [titles.rpcs]: methods.map(({ rpc }) => ({ name: rpc })),
    [titles.fields]: methods.flatMap(({ rpc, method }) =>
      method.input.fields.map(({ jsonName }) => ({ name: jsonName, operation: rpc })),
    ),
    [titles.codes]: methods.flatMap(({ rpc }) => {
      const codes = cases.flatMap((one) => (one.rpc === rpc && one.error !== undefined ? one.error.code : []));
      return [...new Set(codes)].map((name) => ({ name, operation: rpc }));
    }),
    [titles.protocols]: ["grpc", "grpc-web", "connect"].map((name) => ({ name })),
  };
}

/** Counts what an exchange shows. */
export function countCall(call: ReadCall, coverage: CoverageCounter): void {
  const { destination, recorded, form, request, answer } = call;
  coverage.exchange();
  if (recorded.interruption !== undefined) coverage.notJudged(`no whole response: ${recorded.interruption}`);
  if (destination.kind === "outside") return void coverage.notJudged("not a call of the contract's services");
  if (destination.kind === "unknown") return void coverage.notJudged("the contract has no such RPC");
  const { rpc } = destination.method;
  coverage.count(titles.rpcs, rpc);
  if (form !== undefined) coverage.count(titles.protocols, form.protocol);
  if (request?.kind === "unread") coverage.notJudged(`the request: ${request.reason}`);
  if (request?.kind === "message") countFields(rpc, request.json, coverage);
  if (answer?.kind === "unread") coverage.notJudged(`the response: ${answer.reason}`);
  if (answer?.kind === "error") coverage.count(titles.codes, answer.answer.code, rpc);
}

function countFields(rpc: string, request: Readonly<Record<string, unknown>>, coverage: CoverageCounter): void {
  for (const [name, value] of Object.entries(request)) if (isSet(value)) coverage.count(titles.fields, name, rpc);
}

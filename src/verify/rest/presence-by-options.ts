import type { CallStep } from "../../contract/check.js";
import { literal } from "../../contract/expressions.js";
import type { ProbedOperation } from "../../contract/rest/probed-operation.js";
import type { Exchange } from "../../judge/exchange.js";
import { resolveValue } from "../../judge/expressions.js";
import { encodeLeniently } from "../../request/encode.js";
import { exampleCall } from "../derive/case-checks.js";
import { NoAnswerError } from "../http/no-answer-error.js";
import type { Presence } from "../run/presence.js";
import type { Session } from "../run/session.js";

/** A path below that of the API that no API has. */
const nowhere = "/accord-no-such-operation";

/** How to ask. */
export interface OptionsCall {
  /** The path of the API. */
  readonly basePath: string;
  readonly as: string;
  readonly createSession: (name: string) => Session;
}

/**
 * Asks for an operation without calling it: by `OPTIONS`, whose answer lists the methods of a path in `Allow` (RFC 9110, sections 9.3.7 and
 * 10.2.1). Undefined if the answer tells nothing: it has no list, or the same one as for a path that no API has.
 */
export async function presenceByOptions(
  operation: ProbedOperation,
  { basePath, as, createSession }: OptionsCall,
): Promise<Presence | undefined> {
  const [first] = operation.cases;
  if (first === undefined && operation.path.includes("{")) return undefined;
  const values = first === undefined ? {} : resolveValue(exampleCall(first).with, () => undefined);
  const { path } = encodeLeniently(operation.request, values as Readonly<Record<string, unknown>>);
  const session = createSession(`presence of ${operation.operationId}`);
  const ask = async (at: string) =>
    methodsIn(await session.call(optionsCall(literal(`${basePath}${at}`), as), () => undefined));
  try {
    const methods = await ask(path);
    if (methods.length === 0) return undefined;
    const elsewhere = await ask(nowhere);
    if (methods.join() === elsewhere.join()) return undefined;
    if (methods.includes(operation.method) || methods.includes("*")) return { kind: "there" };
    return { kind: "not-implemented", why: `Allow: ${methods.join(", ")}, in the answer to OPTIONS` };
  } catch (error) {
    if (error instanceof NoAnswerError) return undefined;
    throw error;
  }
}

function methodsIn({ status, headers }: Exchange): string[] {
  // A refusal may come from something in front of the operation; 405 must have the list (RFC 9110, section 15.5.6).
  if (Number(status) >= 300 && status !== 405) return [];
  const allowed = (headers.get("allow") ?? "").split(",").map((method) => method.trim().toUpperCase());
  return allowed.filter((method) => method !== "").sort();
}

function optionsCall(url: string, as: string): CallStep {
  const request = { method: "OPTIONS", url };
  return { kind: "call", id: "options", as, with: {}, expect: [], request };
}

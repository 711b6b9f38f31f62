import type { Case } from "../../../../contract/chat/cases.js";
import { nearestNames } from "../../../report/nearest-names.js";
import type { OwnAnswer } from "../../../traffic/interception.js";

/** The cases that the proxy answers instead of the server, once for each time that a test asks for one. */
export interface PlannedAnswers {
  /** Plans the response of a case, such as `unsubscribe/unknown_channel`, for the next call of its operation. Returns the problem, if any. */
  readonly plan: (name: string) => string | undefined;
  /** Whether any response is planned. */
  readonly hasAny: () => boolean;
  /** Takes the next planned response for a call of an operation. */
  readonly take: (operationId: string) => PlannedAnswer | undefined;
}

/** The response of a case. */
export interface PlannedAnswer extends OwnAnswer {
  readonly name: string;
}

/** More planned responses are refused. */
const maxPlanned = 1_000;

/** Creates the planned responses of one proxy. */
export function createPlannedAnswers(cases: readonly Case[]): PlannedAnswers {
  const byName = new Map(cases.map((one) => [`${one.operationId}/${one.name}`, one]));
  const planned = new Map<string, PlannedAnswer[]>();
  let count = 0;
  return {
    plan: (name) => {
      const found = byName.get(name);
      if (found === undefined) return unknownCase(name, [...byName.keys()]);
      if (count >= maxPlanned) return `${maxPlanned} responses are planned already, and no call has taken them`;
      planned.set(found.operationId, [...(planned.get(found.operationId) ?? []), toAnswer(name, found)]);
      count++;
      return undefined;
    },
    hasAny: () => count > 0,
    take: (operationId) => {
      const next = planned.get(operationId)?.shift();
      if (next !== undefined) count--;
      return next;
    },
  };
}

function toAnswer(name: string, { response: { status, mediaType, body } }: Case): PlannedAnswer {
  return {
    name,
    status,
    headers: mediaType === undefined ? {} : { "Content-Type": mediaType },
    text: body === undefined ? "" : JSON.stringify(body),
  };
}

function unknownCase(name: string, names: readonly string[]): string {
  const [operation = ""] = name.split("/", 1);
  const ofOperation = names
    .filter((one) => one.startsWith(`${operation}/`))
    .map((one) => one.slice(operation.length + 1));
  if (ofOperation.length > 0)
    return `${operation} has no case of this name at this level. Its cases: ${ofOperation.join(", ")}`;
  const nearest = nearestNames(name, names);
  const hint = nearest.length === 0 ? "" : ` Similar cases: ${nearest.join(", ")}`;
  return `The contract has no case ${name.slice(0, 200)} at this level; write it as <operationId>/<case>.${hint}`;
}

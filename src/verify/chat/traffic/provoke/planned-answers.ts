import type { Case } from "../../../../contract/chat/cases.js";
import type { OwnAnswer } from "../../../traffic/interception.js";
import { createPlannedCases, type PlannedCases } from "../../../traffic/planned-cases.js";

/** The cases with which a proxy responds in place of a chat server. */
export interface PlannedAnswers extends PlannedCases {
  /** Takes the response that is planned next for an operation. */
  readonly takeAnswer: (operationId: string) => (OwnAnswer & { readonly name: string }) | undefined;
}

/** Creates the planned responses of one proxy. `cases` are those of its feature level. */
export function createPlannedAnswers(cases: readonly Case[]): PlannedAnswers {
  const byName = new Map(cases.map((one) => [`${one.operationId}/${one.name}`, one]));
  const planned = createPlannedCases([...byName.keys()], "<operationId>/<case>, with a case of this feature level");
  return {
    ...planned,
    takeAnswer: (operationId) => {
      const name = planned.take(operationId) ?? "";
      const found = byName.get(name);
      return found === undefined ? undefined : { name, ...toAnswer(found) };
    },
  };
}

function toAnswer({ response: { status, mediaType, body } }: Case): OwnAnswer {
  return {
    status,
    headers: mediaType === undefined ? {} : { "Content-Type": mediaType },
    text: body === undefined ? "" : JSON.stringify(body),
  };
}

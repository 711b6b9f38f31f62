import type { Case } from "../../../src/contract/rest/cases.js";

/** Builds a case in which an administrator removes another user from a channel. `change` overrides its parts. */
export function exampleCase(change: Partial<Case> = {}): Case {
  return {
    operationId: "unsubscribe",
    name: "other_user",
    summary: "The user was removed",
    rule: "subscriptions.remove.administrator",
    also: [],
    as: "administrator",
    given: [{ state: "channel", params: { name: "social", subscribers: ["other"] }, rename: {} }],
    bind: { principals: ["credentials.other.user_id"] },
    exact: ["/removed", "/not_removed"],
    request: { path: {}, query: {}, header: {}, body: { subscriptions: ["social"], principals: [23] } },
    response: {
      status: 200,
      mediaType: "application/json",
      body: { result: "success", msg: "", removed: ["social"], not_removed: [] },
    },
    ...change,
  };
}

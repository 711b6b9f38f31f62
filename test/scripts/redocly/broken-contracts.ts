import type { Document } from "yaml";

const path = "paths/users_me_subscriptions.yaml";
const caseFile = "components/examples/unsubscribe/unknown_channel.yaml";
const form = ["delete", "requestBody", "content", "application/x-www-form-urlencoded"];
const badRequest = ["delete", "responses", "400", "content", "application/json"];
const notes = ["response", "x-case"];

type Change = (document: Document) => unknown;

/** A contract with one defect, and the message of the rule. */
export interface Row {
  readonly rule: string;
  readonly file: string;
  readonly change: Change;
  readonly says: string;
}

const set = (keys: readonly (string | number)[], value: unknown) => (document: Document) =>
  document.setIn(keys, document.createNode(value));
const remove = (keys: readonly (string | number)[]) => (document: Document) => document.deleteIn(keys);

const setOperation = (key: string, value: unknown) => set(["delete", key], value);
const setRule = (key: string, value: unknown) => set(["delete", "x-rules", 0, key], value);
const setNote = (key: string, value: unknown) => set([...notes, key], value);
const setReference = (value: unknown) => set([...form, "encoding", "principals", "x-refers-to"], value);

/** Removes `shown-by` from the rule of chat.yaml that has this kind. */
const removeShownBy = (kind: string) => (document: Document) => {
  const rules: { readonly "shown-by"?: { readonly kind: string } }[] = document.toJS()["x-rules"];
  document.deleteIn(["x-rules", rules.findIndex((rule) => rule["shown-by"]?.kind === kind), "shown-by"]);
};

/** By rule: a defect, the message, and the file if it is not that of the operation. */
const table: Readonly<Record<string, readonly (readonly [change: Change, says: string, file?: string])[]>> = {
  "form-field-encoding": [
    [
      remove([...form, "encoding", "principals"]),
      "Field `principals` is not a plain string: write `encoding.principals.contentType: application/json`.",
    ],
    [
      set([...form, "encoding", "subscriptions", "contentType"], "text/plain"),
      "`encoding.subscriptions.contentType: application/json` instead of text/plain.",
    ],
    [
      set([...form, "encoding", "channels"], { contentType: "application/json" }),
      "`encoding.channels` is for no field of the form: remove it, or name one of subscriptions, principals.",
    ],
  ],
  "operation-key-order": [
    [
      (document) => {
        document.deleteIn(["delete", "tags"]);
        document.setIn(["delete", "tags"], ["channels"]);
      },
      "Write `tags` before",
    ],
    [setOperation("x-fancy", true), "`x-fancy` is not a key of our operations"],
  ],
  "decides-additional-properties": [
    [
      remove(["additionalProperties"]),
      "Write `additionalProperties: true`",
      "components/schemas/UnsubscribeSuccess.yaml",
    ],
  ],
  "named-schemas": [
    [
      set(["properties", "removed", "items"], {
        type: "object",
        description: "A channel.",
        properties: { name: { type: "string", description: "Its name.", examples: ["Denmark"] } },
        additionalProperties: true,
      }),
      "Give this object a file in `components/schemas/`",
      "components/schemas/UnsubscribeSuccess.yaml",
    ],
    [
      set(["allOf"], [{ $ref: "Success.yaml" }]),
      "Write the fields out instead of `allOf`",
      "components/schemas/UnsubscribeSuccess.yaml",
    ],
  ],
  described: [
    [remove(["description"]), "This schema needs a `description`.", "components/schemas/UserId.yaml"],
    [
      remove(["examples"]),
      "This schema needs an example: write `examples: [...]`.",
      "components/schemas/EmailAddress.yaml",
    ],
    [set(["description"], "Optional. The id of a user."), "Remove “Optional”", "components/schemas/UserId.yaml"],
    [
      setOperation("parameters", [
        { name: "q", in: "query", schema: { type: "string", description: "Q.", examples: ["q"] } },
      ]),
      "Parameter `q` needs a `description`.",
    ],
  ],
  "rule-ids": [
    [
      (document) => document.addIn(["delete", "x-rules"], { id: "messages.edit.x", text: "A sentence." }),
      "Rule `messages.edit.x`: begin the id with `subscriptions.remove.`.",
    ],
    [
      (document) => document.addIn(["delete", "x-rules"], document.getIn(["delete", "x-rules", 0])),
      "another rule has this id",
    ],
    [setRule("text", "no full stop"), "`text` must be a whole sentence"],
    [
      set(["delete", "x-rules", 0], { id: "subscriptions.remove.x", text: "A sentence.", since: 20, until: 10 }),
      "`until` must be above `since`.",
    ],
    [setRule("fixes-status", 400), "`fixes-status` is true or omitted"],
    [
      set(["x-rules", 0, "id"], "nothing"),
      "Rule `nothing`: begin the id with a topic, such as `errors.`.",
      "chat.yaml",
    ],
  ],
  "rule-sources": [
    [remove(["delete", "x-rules", 0, "source"]), "`source` is missing. Write headings of the requirements"],
    [
      setRule("source", "Unsubscribe, names that were unsubscribed"),
      "`source`: `Unsubscribe, names that were unsubscribed` has the detail",
    ],
    [remove(["delete", "x-feature"]), "The operation needs `x-feature`: `<resource>.<verb>`."],
    [
      set(["x-rules", 0, "id"], "others.first"),
      "Rule `others.first`: begin the id with `conventions.` or `authentication.`",
      "chat.yaml",
    ],
  ],
  "shared-probes": [
    [removeShownBy("wrong-credentials"), "No rule has `shown-by: {kind: wrong-credentials}`", "chat.yaml"],
  ],
  unsupported: [
    [
      setOperation("callbacks", { done: { "{$request.body#/url}": { post: { responses: {} } } } }),
      "Accord receives no calls, so nothing judges the callback done.",
    ],
    [
      (document) =>
        document.setIn(
          ["delete", "responses", "200", "content", "application/xml"],
          document.createNode({ schema: { type: "string" } }),
        ),
      "Accord does not read application/xml, so nothing judges this body against its schema.",
    ],
    [set(["webhooks"], { done: { post: { responses: {} } } }), "nothing judges the webhooks", "chat.yaml"],
  ],
  "client-rules": [
    [setRule("party", "client"), "Rule `subscriptions.remove.removed`: say in `seen` how traffic shows it"],
    [setRule("seen", { expect: { bytes: { above: 1 } } }), "`seen` and `strain` are for rules about clients"],
  ],
  "shown-by": [
    [
      setRule("shown-by", { kind: "telepathy" }),
      "Rule `subscriptions.remove.removed`: `shown-by` needs a `kind`: deactivated-account, error-status",
    ],
    [
      setRule("shown-by", { kind: "missing-parameter", parameter: "subscription" }),
      "there is no parameter `subscription`; did you mean `subscriptions`?",
    ],
    [setRule("shown-by", { kind: "missing-role" }), "`shown-by` of the kind `missing-role` needs `role`."],
    [
      setRule("shown-by", { kind: "missing-role", role: "administrators" }),
      "there is no role `administrators`; did you mean `administrator`?",
    ],
    [
      setRule("shown-by", {
        ...{ kind: "missing-role", role: "owner", allows: "subscriptions.remove.remove" },
      }),
      "the operation has no rule `subscriptions.remove.remove`; did you mean `subscriptions.remove.removed`?",
    ],
    [
      setRule("shown-by", { kind: "no-credentials", role: "owner" }),
      "`shown-by` of the kind `no-credentials` has no key `role`; remove it.",
    ],
    [
      set(["x-rules", 2, "shown-by"], { kind: "missing-role", role: "owner" }),
      "`missing-role` needs an operation: move the rule to one.",
      "chat.yaml",
    ],
  ],
  "relies-on": [
    [
      setNote("relies-on", ["subscriptions.remove.no-such-rule"]),
      "`relies-on`: there is no recommendation `subscriptions.remove.no-such-rule`",
      caseFile,
    ],
    [
      set([...form, "encoding", "principals", "x-refers-to", "relies-on"], ["subscriptions.remove.removed"]),
      "`relies-on` names `subscriptions.remove.removed`, which every server must keep: remove it",
    ],
    [
      setRule("shown-by", { kind: "no-credentials", "relies-on": [] }),
      "`relies-on` must be a list of ids of recommendations",
    ],
  ],
  "refers-to": [
    [
      set([...form, "encoding", "principals", "x-refers-to", "rules"], ["subscriptions.remove.unknown"]),
      "neither the operation nor the root of the contract has a rule `subscriptions.remove.unknown`.",
    ],
    [setReference({ kind: "A user" }), "`kind` must say in kebab-case what the value refers to"],
    [
      setReference({ kind: "user", inaccessible: true, rule: "x" }),
      "`inaccessible` must be `allowed`; omit it if the request fails.",
    ],
    [
      setReference({ kind: "user", "absent-from": "messages" }),
      "`absent-from` must be the JSON pointer of a list in the response, such as `/items`.",
    ],
    [
      setOperation("parameters", [
        {
          ...{ name: "user_id", in: "path", required: true, description: "A user." },
          schema: { $ref: "../components/schemas/UserId.yaml" },
        },
      ]),
      "The id `user_id` refers to something: write `x-refers-to: {kind: …}`.",
    ],
  ],
  "feature-level": [
    [
      set(["x-feature-level"], { addded: 3 }),
      "`addded` is not a key of x-feature-level",
      "components/schemas/IgnoredParametersUnsupported.yaml",
    ],
    [setOperation("x-feature-level", { added: 20 }), "Level 9 is older than level 20 of the part that contains it."],
    [setOperation("x-feature-level", { added: 3, deprecated: 2 }), "Level 2 must be above 3, at which it was added."],
  ],
  "collect-cases": [
    [
      set(["status"], 404),
      "unknown_channel.yaml:5: `unsubscribe` has no response 404: add it, or use one of 200, 400, 401, 403",
      caseFile,
    ],
    [
      set(["status"], 401),
      "the response 401 is shared: write the case into ../components/responses/Unauthorized.yaml",
      caseFile,
    ],
    [set(["parameters"], { user_id: 7 }), "`unsubscribe` has no parameter `user_id`", caseFile],
    [remove(["request"]), "`unsubscribe` requires a body: add `request`", caseFile],
    [set(["respose"], {}), "the file has an unknown key `respose`: did you mean `response`?", caseFile],
    [remove(notes), "response needs the key `x-case`", caseFile],
    [
      setOperation("operationId", "unsubscribeAll"),
      "there is no operation `unsubscribe`: did you mean `unsubscribeAll`?",
    ],
    [setOperation("x-typical-case", "unknown_channel"), "`unsubscribe` needs an `x-typical-case`: use one of"],
  ],
  "case-per-error-code": [
    [
      set(
        [...badRequest, "schema", "anyOf", 0, "$ref"],
        "../components/schemas/errors/CannotDeactivateLastUserError.yaml",
      ),
      "Status 400 needs a case with code CANNOT_DEACTIVATE_LAST_USER.",
    ],
    [
      (document) => {
        document.setIn(["delete", "responses", "299"], document.getIn(["delete", "responses", "200"]));
        document.deleteIn(["delete", "responses", "200"]);
      },
      "The operation needs a successful case.",
    ],
  ],
  "case-known-names": [
    [
      setNote("rule", "subscriptions.remove.no-such-rule"),
      "There is no rule `subscriptions.remove.no-such-rule`",
      caseFile,
    ],
    [setNote("given", ["moon"]), "There is no provider state `moon`", caseFile],
    [
      setNote("given", [{ state: "channel", params: { name: "x", colour: "red" } }]),
      "State `channel`: params has no parameter `colour`.",
      caseFile,
    ],
    [setNote("as", "emperor"), "There is no caller `emperor`", caseFile],
    [
      setNote("bind", { principals: ["credentials.emperor.user_id"] }),
      "`bind` names `credentials.emperor.user_id`, which no state of the case returns.",
      caseFile,
    ],
    [setNote("exact", ["/strem"]), "`/strem` leads to nothing in the value of the example.", caseFile],
  ],
  "states-catalogue": [
    [remove(["x-states", "channel", "description"]), "State `channel` needs a `description`.", "states.yaml"],
  ],
};

/** Changes of the small contract. */
export const rows: readonly Row[] = Object.entries(table).flatMap(([rule, defects]) =>
  defects.map(([change, says, file = path]) => ({ rule, file, change, says })),
);

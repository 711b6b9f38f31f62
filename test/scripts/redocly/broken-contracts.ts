import type { Document } from "yaml";

const path = "paths/users_me_subscriptions.yaml";
const caseFile = "components/examples/unsubscribe/unknown_channel.yaml";
const form = ["delete", "requestBody", "content", "application/x-www-form-urlencoded"];
const badRequest = ["delete", "responses", "400", "content", "application/json"];
const notes = ["response", "x-case"];

/** A contract with one defect, and the message of the rule. */
export interface Row {
  readonly rule: string;
  readonly file: string;
  readonly change: (document: Document) => unknown;
  readonly says: string;
}

const set = (keys: readonly (string | number)[], value: unknown) => (document: Document) =>
  document.setIn(keys, document.createNode(value));
const remove = (keys: readonly (string | number)[]) => (document: Document) => document.deleteIn(keys);

/** Removes `shown-by` from the rule of chat.yaml that has this kind. */
const removeShownBy = (kind: string) => (document: Document) => {
  const rules: { readonly "shown-by"?: { readonly kind: string } }[] = document.toJS()["x-rules"];
  document.deleteIn(["x-rules", rules.findIndex((rule) => rule["shown-by"]?.kind === kind), "shown-by"]);
};

/** Changes of the small contract. */
export const rows: readonly Row[] = [
  {
    rule: "form-field-encoding",
    file: path,
    change: remove([...form, "encoding", "principals"]),
    says: "Field `principals` is not a plain string: write `encoding.principals.contentType: application/json`.",
  },
  {
    rule: "form-field-encoding",
    file: path,
    change: set([...form, "encoding", "subscriptions", "contentType"], "text/plain"),
    says: "`encoding.subscriptions.contentType: application/json` instead of text/plain.",
  },
  {
    rule: "form-field-encoding",
    file: path,
    change: set([...form, "encoding", "channels"], { contentType: "application/json" }),
    says: "`encoding.channels` is for no field of the form: remove it, or name one of subscriptions, principals.",
  },
  {
    rule: "operation-key-order",
    file: path,
    change: (document) => {
      document.deleteIn(["delete", "tags"]);
      document.setIn(["delete", "tags"], ["channels"]);
    },
    says: "Write `tags` before",
  },
  {
    rule: "operation-key-order",
    file: path,
    change: set(["delete", "x-fancy"], true),
    says: "`x-fancy` is not a key of our operations",
  },
  {
    rule: "decides-additional-properties",
    file: "components/schemas/UnsubscribeSuccess.yaml",
    change: remove(["additionalProperties"]),
    says: "Write `additionalProperties: true`",
  },
  {
    rule: "named-schemas",
    file: "components/schemas/UnsubscribeSuccess.yaml",
    change: set(["properties", "removed", "items"], {
      type: "object",
      description: "A channel.",
      properties: { name: { type: "string", description: "Its name.", examples: ["Denmark"] } },
      additionalProperties: true,
    }),
    says: "Give this object a file in `components/schemas/`",
  },
  {
    rule: "named-schemas",
    file: "components/schemas/UnsubscribeSuccess.yaml",
    change: set(["allOf"], [{ $ref: "Success.yaml" }]),
    says: "Write the fields out instead of `allOf`",
  },
  {
    rule: "described",
    file: "components/schemas/UserId.yaml",
    change: remove(["description"]),
    says: "This schema needs a `description`.",
  },
  {
    rule: "described",
    file: "components/schemas/EmailAddress.yaml",
    change: remove(["examples"]),
    says: "This schema needs an example: write `examples: [...]`.",
  },
  {
    rule: "described",
    file: "components/schemas/UserId.yaml",
    change: set(["description"], "Optional. The id of a user."),
    says: "Remove “Optional”",
  },
  {
    rule: "described",
    file: path,
    change: set(
      ["delete", "parameters"],
      [{ name: "q", in: "query", schema: { type: "string", description: "Q.", examples: ["q"] } }],
    ),
    says: "Parameter `q` needs a `description`.",
  },
  {
    rule: "rule-ids",
    file: path,
    change: (document) => document.addIn(["delete", "x-rules"], { id: "messages.edit.x", text: "A sentence." }),
    says: "Rule `messages.edit.x`: begin the id with `subscriptions.remove.`.",
  },
  {
    rule: "rule-ids",
    file: path,
    change: (document) => document.addIn(["delete", "x-rules"], document.getIn(["delete", "x-rules", 0])),
    says: "another rule has this id",
  },
  {
    rule: "rule-ids",
    file: path,
    change: remove(["delete", "x-rules", 0, "source"]),
    says: "`source` is missing. Write headings of the requirements",
  },
  {
    rule: "rule-ids",
    file: path,
    change: set(["delete", "x-rules", 0, "source"], "Unsubscribe, names that were unsubscribed"),
    says: "`source`: `Unsubscribe, names that were unsubscribed` has the detail",
  },
  {
    rule: "rule-ids",
    file: path,
    change: set(["delete", "x-rules", 0, "text"], "no full stop"),
    says: "`text` must be a whole sentence",
  },
  {
    rule: "rule-ids",
    file: path,
    change: set(["delete", "x-rules", 0], { id: "subscriptions.remove.x", text: "A sentence.", since: 20, until: 10 }),
    says: "`until` must be above `since`.",
  },
  {
    rule: "rule-ids",
    file: path,
    change: set(["delete", "x-rules", 0, "fixes-status"], 400),
    says: "`fixes-status` is true or omitted",
  },
  {
    rule: "client-rules",
    file: path,
    change: set(["delete", "x-rules", 0, "party"], "client"),
    says: "Rule `subscriptions.remove.removed`: say in `seen` how traffic shows it",
  },
  {
    rule: "client-rules",
    file: path,
    change: set(["delete", "x-rules", 0, "seen"], { expect: { bytes: { above: 1 } } }),
    says: "`seen` and `strain` are for rules about clients",
  },
  {
    rule: "shown-by",
    file: "chat.yaml",
    change: removeShownBy("wrong-credentials"),
    says: "No rule has `shown-by: {kind: wrong-credentials}`",
  },
  {
    rule: "shown-by",
    file: path,
    change: set(["delete", "x-rules", 0, "shown-by"], { kind: "telepathy" }),
    says: "Rule `subscriptions.remove.removed`: `shown-by` needs a `kind`: deactivated-account, error-status",
  },
  {
    rule: "shown-by",
    file: path,
    change: set(["delete", "x-rules", 0, "shown-by"], { kind: "missing-parameter", parameter: "subscription" }),
    says: "there is no parameter `subscription`; did you mean `subscriptions`?",
  },
  {
    rule: "shown-by",
    file: path,
    change: set(["delete", "x-rules", 0, "shown-by"], { kind: "missing-role" }),
    says: "`shown-by` of the kind `missing-role` needs `role`.",
  },
  {
    rule: "shown-by",
    file: path,
    change: set(["delete", "x-rules", 0, "shown-by"], { kind: "missing-role", role: "administrators" }),
    says: "there is no role `administrators`; did you mean `administrator`?",
  },
  {
    rule: "shown-by",
    file: path,
    change: set(["delete", "x-rules", 0, "shown-by"], {
      ...{ kind: "missing-role", role: "owner", allows: "subscriptions.remove.remove" },
    }),
    says: "the operation has no rule `subscriptions.remove.remove`; did you mean `subscriptions.remove.removed`?",
  },
  {
    rule: "shown-by",
    file: path,
    change: set(["delete", "x-rules", 0, "shown-by"], { kind: "no-credentials", role: "owner" }),
    says: "`shown-by` of the kind `no-credentials` has no key `role`; remove it.",
  },
  {
    rule: "shown-by",
    file: "chat.yaml",
    change: set(["x-rules", 2, "shown-by"], { kind: "missing-role", role: "owner" }),
    says: "`missing-role` needs an operation: move the rule to one.",
  },
  {
    rule: "relies-on",
    file: caseFile,
    change: set([...notes, "relies-on"], ["subscriptions.remove.no-such-rule"]),
    says: "`relies-on`: there is no recommendation `subscriptions.remove.no-such-rule`",
  },
  {
    rule: "relies-on",
    file: path,
    change: set([...form, "encoding", "principals", "x-refers-to", "relies-on"], ["subscriptions.remove.removed"]),
    says: "`relies-on` names `subscriptions.remove.removed`, which every server must keep: remove it",
  },
  {
    rule: "relies-on",
    file: path,
    change: set(["delete", "x-rules", 0, "shown-by"], { kind: "no-credentials", "relies-on": [] }),
    says: "`relies-on` must be a list of ids of recommendations",
  },
  {
    rule: "refers-to",
    file: path,
    change: set([...form, "encoding", "principals", "x-refers-to", "rules"], ["subscriptions.remove.unknown"]),
    says: "neither the operation nor chat.yaml has a rule `subscriptions.remove.unknown`.",
  },
  {
    rule: "refers-to",
    file: path,
    change: set([...form, "encoding", "principals", "x-refers-to"], { kind: "A user" }),
    says: "`kind` must say in kebab-case what the value refers to",
  },
  {
    rule: "refers-to",
    file: path,
    change: set([...form, "encoding", "principals", "x-refers-to"], { kind: "user", inaccessible: true, rule: "x" }),
    says: "`inaccessible` must be `allowed`; omit it if the request fails.",
  },
  {
    rule: "refers-to",
    file: path,
    change: set(
      ["delete", "parameters"],
      [
        {
          ...{ name: "user_id", in: "path", required: true, description: "A user." },
          schema: { $ref: "../components/schemas/UserId.yaml" },
        },
      ],
    ),
    says: "The id `user_id` refers to something: write `x-refers-to: {kind: …}`.",
  },
  {
    rule: "feature-level",
    file: "components/schemas/IgnoredParametersUnsupported.yaml",
    change: set(["x-feature-level"], { addded: 3 }),
    says: "`addded` is not a key of x-feature-level",
  },
  {
    rule: "feature-level",
    file: path,
    change: set(["delete", "x-feature-level"], { added: 20 }),
    says: "Level 9 is older than level 20 of the part that contains it.",
  },
  {
    rule: "feature-level",
    file: path,
    change: set(["delete", "x-feature-level"], { added: 3, deprecated: 2 }),
    says: "Level 2 must be above 3, at which it was added.",
  },
  {
    rule: "collect-cases",
    file: caseFile,
    change: set(["status"], 404),
    says: "unknown_channel.yaml:5: `unsubscribe` has no response 404: add it, or use one of 200, 400, 401, 403",
  },
  {
    rule: "collect-cases",
    file: caseFile,
    change: set(["status"], 401),
    says: "the response 401 is shared: write the case into ../components/responses/Unauthorized.yaml",
  },
  {
    rule: "collect-cases",
    file: caseFile,
    change: set(["parameters"], { user_id: 7 }),
    says: "`unsubscribe` has no parameter `user_id`",
  },
  {
    rule: "collect-cases",
    file: caseFile,
    change: remove(["request"]),
    says: "`unsubscribe` requires a body: add `request`",
  },
  {
    rule: "collect-cases",
    file: caseFile,
    change: set(["respose"], {}),
    says: "the file has an unknown key `respose`: did you mean `response`?",
  },
  {
    rule: "collect-cases",
    file: caseFile,
    change: remove(notes),
    says: "response needs the key `x-case`",
  },
  {
    rule: "collect-cases",
    file: path,
    change: set(["delete", "operationId"], "unsubscribeAll"),
    says: "there is no operation `unsubscribe`: did you mean `unsubscribeAll`?",
  },
  {
    rule: "collect-cases",
    file: path,
    change: set(["delete", "x-typical-case"], "unknown_channel"),
    says: "`unsubscribe` needs an `x-typical-case`: use one of",
  },
  {
    rule: "case-per-error-code",
    file: path,
    change: set(
      [...badRequest, "schema", "anyOf", 0, "$ref"],
      "../components/schemas/errors/CannotDeactivateLastUserError.yaml",
    ),
    says: "Status 400 needs a case with code CANNOT_DEACTIVATE_LAST_USER.",
  },
  {
    rule: "case-per-error-code",
    file: path,
    change: (document) => {
      document.setIn(["delete", "responses", "299"], document.getIn(["delete", "responses", "200"]));
      document.deleteIn(["delete", "responses", "200"]);
    },
    says: "The operation needs a successful case.",
  },
  {
    rule: "case-known-names",
    file: caseFile,
    change: set([...notes, "rule"], "subscriptions.remove.no-such-rule"),
    says: "There is no rule `subscriptions.remove.no-such-rule`",
  },
  {
    rule: "case-known-names",
    file: caseFile,
    change: set([...notes, "given"], ["moon"]),
    says: "There is no provider state `moon`",
  },
  {
    rule: "case-known-names",
    file: caseFile,
    change: set([...notes, "given"], [{ state: "channel", params: { name: "x", colour: "red" } }]),
    says: "State `channel`: params has no parameter `colour`.",
  },
  {
    rule: "case-known-names",
    file: caseFile,
    change: set([...notes, "as"], "emperor"),
    says: "There is no caller `emperor`",
  },
  {
    rule: "case-known-names",
    file: caseFile,
    change: set([...notes, "bind"], { principals: ["credentials.emperor.user_id"] }),
    says: "`bind` names `credentials.emperor.user_id`, which no state of the case returns.",
  },
  {
    rule: "case-known-names",
    file: caseFile,
    change: set([...notes, "exact"], ["/strem"]),
    says: "`/strem` leads to nothing in the value of the example.",
  },
  {
    rule: "states-catalogue",
    file: "states.yaml",
    change: remove(["x-states", "channel", "description"]),
    says: "State `channel` needs a `description`.",
  },
];

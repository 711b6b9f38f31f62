/** A feature of OpenAPI or Protobuf, and what each command does with it. `docs/openapi.md` lists all. */
export interface Support {
  readonly feature: string;
  /** The versions of OpenAPI that have it, or Protobuf. */
  readonly versions: string;
  readonly lint: string;
  readonly verify: string;
  readonly proxy: string;
  readonly mock: string;
}

/** A feature that no command judges, with what is said where a document has it. */
export interface UnjudgedFeature extends Support {
  readonly says: (...subjects: readonly string[]) => string;
}

const all = "3.0, 3.1, 3.2";

function unjudged(
  feature: string,
  versions: string,
  [verify, proxy, mock]: readonly [verify: string, proxy: string, mock: string],
  says: UnjudgedFeature["says"],
): UnjudgedFeature {
  return { feature, versions, lint: "named", verify, proxy, mock, says };
}

/** What a document may have although nothing judges it. `accord lint` names each place, and the other commands what concerns them. */
export const unjudgedFeatures = {
  otherTypes: unjudged(
    "XML, and other structured types than JSON",
    all,
    [
      "never sent; untestable, so the operation is never done",
      "named, not judged",
      "an empty body, or an example that is a text",
    ],
    (type) => `Accord does not read ${type}`,
  ),
  untypedItems: unjudged(
    "`text/event-stream`, JSON Lines and JSON text sequences without `itemSchema`",
    all,
    ["untestable, so the operation is never done", "named, not judged", "one item"],
    (type) => `Accord judges the items of ${type} only by \`itemSchema\` of OpenAPI 3.2`,
  ),
  otherForms: unjudged(
    "Forms whose schema is no object",
    all,
    ["sent without fields", "not judged", "accepted"],
    (type) => `A form has named fields, so nothing judges this one, whose schema is of type ${type}`,
  ),
  nestedValues: unjudged(
    "Lists and objects within lists and objects of a parameter",
    all,
    ["not sent", "judged as it can be read", "judged as it can be read"],
    (what, how) =>
      `OpenAPI leaves open how ${what} written${how}, so Accord sends no such value. Use \`content\` with application/json`,
  ),
  wholeQuery: unjudged(
    "`in: querystring` of other types than forms",
    "3.2",
    ["not sent", "not judged", "ignored"],
    () => "is a whole query string that is no form, which Accord does not write",
  ),
  otherMethods: unjudged(
    "`additionalOperations`",
    "3.2",
    ["not called", "not judged", "405"],
    () => "has operations of methods that Accord does not call",
  ),
  callbacks: unjudged(
    "`callbacks`",
    all,
    ["not judged", "not judged", "–"],
    (name) => `Accord receives no calls, so nothing judges the callback ${name}`,
  ),
  webhooks: unjudged(
    "`webhooks`",
    "3.1, 3.2",
    ["not judged", "not judged", "–"],
    () => "Accord receives no calls, so nothing judges the webhooks",
  ),
  streamingRpcs: unjudged(
    "Streaming RPCs",
    "proto2, proto3, editions",
    ["not called", "passed on, not judged", "`UNIMPLEMENTED`"],
    (rpc) => `${rpc} streams. Accord calls only unary RPCs, so nothing judges it`,
  ),
} as const satisfies Readonly<Record<string, UnjudgedFeature>>;

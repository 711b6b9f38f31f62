import { type Support, unjudgedFeatures } from "../../src/contract/unjudged-features.js";

export type { Support };

const [nothing, judged] = ["–", "judged"];
const all = "3.0, 3.1, 3.2";

function row(
  feature: string,
  versions: string,
  ...does: readonly [lint: string, verify: string, proxy: string, mock: string]
): Support {
  const [lint, verify, proxy, mock] = does;
  return { feature, versions, lint, verify, proxy, mock };
}

/** Every feature that a reader might ask for, for `docs/openapi.md`. */
export const openApiSupport: readonly Support[] = [
  row("Swagger 2.0", "2.0", "said once", "read as 3.0", "read as 3.0", "read as 3.0"),
  row("`$ref` into files and any part of a document", all, "missing targets named", judged, judged, "followed"),
  row("`$ref` to another host", all, "named without `--remote`", "not judged", "not judged", nothing),
  row("`$id`, `$anchor`, `$dynamicRef`", "3.1, 3.2", nothing, "judged, `$dynamicRef` as `$ref`", "judged", "followed"),
  row("Keywords beside `$ref`", "3.0", nothing, "ignored, except what only allows more", "the same", "the same"),
  row("`nullable`", "3.0", nothing, judged, judged, "a value other than null"),
  row("`type`, bounds, `enum`, `const`, `required`", all, "impossible values named", judged, judged, "followed"),
  row(
    "`pattern`",
    all,
    "other dialects and unreadable ones named",
    "judged within a time",
    "judged within a time",
    "a matching text",
  ),
  row("`format`", all, nothing, "judged in responses", "judged", "a text of the format"),
  row(
    "Integers beyond 2^53",
    all,
    nothing,
    "sent as made up; compared with bounds as the nearest double, so up to 1,024 off at 2^63",
    "compared as the nearest double",
    "written exactly",
  ),
  row(
    "Paths that differ in names of parameters only",
    all,
    "named",
    "each is called",
    "taken as the first",
    "answered as the first",
  ),
  row("`multipleOf`", all, nothing, "judged by decimal digits", "judged by decimal digits", "followed"),
  row("`allOf`, `oneOf`, `anyOf`, `not`, `if`", all, nothing, judged, judged, "a value that fits"),
  row(
    "`patternProperties`, `propertyNames`, `contains`, `dependentRequired`",
    "3.1, 3.2",
    nothing,
    judged,
    judged,
    "a value that fits",
  ),
  row(
    "`discriminator` beside `oneOf` or `anyOf`",
    all,
    nothing,
    "the named alternative is judged",
    "the named alternative is judged",
    "the name agrees",
  ),
  row(
    "`discriminator` of a schema that others extend by `allOf`",
    all,
    nothing,
    "judged without it",
    "judged without it",
    "ignored",
  ),
  row(
    "`readOnly`",
    all,
    nothing,
    "not required in requests, not sent",
    "not required in requests",
    "not required in requests",
  ),
  row("`writeOnly`", all, nothing, "not required in responses", "not required in responses", "never returned"),
  unjudgedFeatures.nestedValues,
  row(
    "Parameters in path, query, headers and cookies, all styles",
    all,
    nothing,
    "sent in their style",
    judged,
    judged,
  ),
  row("`content` of a parameter", all, nothing, "sent as JSON", judged, judged),
  row("`in: querystring` with a form", "3.2", nothing, "its fields are sent", judged, judged),
  unjudgedFeatures.wholeQuery,
  row("Bodies of JSON", all, nothing, judged, judged, judged),
  row("Forms, multipart bodies and `encoding`", all, nothing, "sent", judged, judged),
  unjudgedFeatures.otherForms,
  row("Bodies of text and bytes", all, nothing, judged, judged, "returned"),
  unjudgedFeatures.otherTypes,
  row(
    "JSON beside XML",
    all,
    "XML named",
    "JSON is sent, and judged if it comes",
    "JSON is judged",
    "JSON, unless `Accept` asks for XML",
  ),
  row(
    "`text/event-stream`, JSON Lines and JSON text sequences with `itemSchema`",
    "3.2",
    nothing,
    "each item judged, for 2 s or 1 MiB",
    "not judged",
    "one item",
  ),
  unjudgedFeatures.untypedItems,
  row("A response without `content`", all, nothing, "status and headers judged, no body", "the same", "no body"),
  row("Response headers", all, nothing, "judged, but not `Content-Type`", "judged", "made from their schemas"),
  row("Ranges of statuses, `default`", all, "`2xx` read as `2XX`", judged, judged, "the first of a range"),
  row(
    "`security`: http, API keys, OAuth 2, OpenID Connect",
    all,
    nothing,
    "the alternative that credentials have; other ways are refused",
    "judged",
    "any credentials of the kind",
  ),
  row("`security`: mutual TLS and other schemes of HTTP", all, nothing, "not sent", "not judged", "not asked for"),
  row("The method `query`", "3.2", nothing, "called", judged, "answered"),
  unjudgedFeatures.otherMethods,
  row("`servers` of the document", all, nothing, "an example of where it is", "the same", "the path of the first"),
  row("`servers` of paths and operations", all, nothing, "ignored: one URL for all", "ignored", "ignored"),
  unjudgedFeatures.callbacks,
  unjudgedFeatures.webhooks,
  row("`links`", all, nothing, "not followed", nothing, nothing),
  row("`$self`, tags, `externalDocs`, `xml`, extensions", all, nothing, nothing, nothing, nothing),
];

/** The same for Protobuf. */
export const protobufSupport: readonly Support[] = [
  row(
    "Unary RPCs",
    "proto2, proto3, editions",
    "buf's rules",
    "called by gRPC, gRPC-Web or Connect",
    judged,
    "cases, or a message of defaults",
  ),
  unjudgedFeatures.streamingRpcs,
  row("Unknown fields", "proto2, proto3, editions", nothing, "allowed", "allowed", nothing),
  row(
    "`google.protobuf.Any`",
    "proto2, proto3, editions",
    nothing,
    "judged if the contract has its type",
    "the same",
    "cases",
  ),
  row("Status details", "proto2, proto3, editions", nothing, judged, judged, "cases"),
];

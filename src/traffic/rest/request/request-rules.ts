import { trafficRule as rule } from "../../judge/finding.js";

/** The rules about requests to any operation. The schemas of the contract state all others. */
export const requestRules = {
  operation: rule(
    "request.operation",
    "must",
    "A request names an operation of the contract, with its method and path.",
  ),
  level: rule(
    "request.level",
    "must",
    "A request uses only operations and parameters that the feature level of the server has.",
  ),
  name: rule("request.name", "must", "Parameters are spelt as in the contract."),
  unsupported: rule(
    "request.unsupported",
    "should",
    "A request has no parameters that its operation does not support.",
  ),
  required: rule("request.required", "must", "A request has every required parameter."),
  place: rule(
    "request.place",
    "must",
    "The parameters of a GET request are in the query string, those of any other request in the form body.",
  ),
  type: rule(
    "request.type",
    "must",
    "Parameters are encoded as their types: arrays and objects as JSON text, other values as plain text.",
  ),
  value: rule("request.value", "must", "Parameters have values that the contract allows."),
  plainText: rule(
    "request.plain-text",
    "should",
    "Text is sent unchanged: neither as JSON text nor as the name of an object's type.",
  ),
  encoding: rule("request.encoding", "should", "The path and query are percent-encoded UTF-8."),
  repeated: rule("request.repeated", "should", "Each parameter is sent once."),
  mediaType: rule("request.media-type", "must", "The body is a form; an upload is a multipart form."),
  credentials: rule(
    "request.credentials",
    "must",
    "A request that needs a login has HTTP Basic credentials of an e-mail address and an API key, or a session cookie.",
  ),
  credentialsInUrl: rule("request.credentials-in-url", "must", "URLs hold no credentials."),
  deprecated: rule(
    "request.deprecated",
    "should",
    "A request uses nothing that is deprecated at the feature level of the server.",
  ),
} as const;

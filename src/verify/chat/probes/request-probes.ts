import { makeProbe, type Probe, type RequestChange, rulesShownBy, successesOf } from "./probe.js";
import type { ProbedOperation } from "./probed-operation.js";

/** Parameters that no endpoint has. */
const unknownParameters = { accord_unknown: "1", accord_unknown_list: '["a"]' };

/**
 * Lists changes to the request as a whole: unknown parameters, an unknown method, other media types, and malformed
 * bodies.
 */
export function requestProbes(operation: ProbedOperation): Probe[] {
  const success = successesOf(operation)[0];
  const anyCase = success ?? operation.cases[0];
  if (anyCase === undefined) return [];
  const method = makeProbe(operation, {
    name: "method-put",
    summary: "Sent with PUT, a method that no endpoint has",
    base: anyCase,
    states: false,
    change: { kind: "method", method: "PUT" },
    expectation: { kind: "unlisted" },
  });
  if (success === undefined) return [method];
  const listing = rulesShownBy(operation, "ignored-parameters");
  const unknown = makeProbe(operation, {
    name: "unknown-parameters",
    summary: "Sent with parameters that no endpoint has",
    rules: [...rulesShownBy(operation, "unknown-parameters"), ...listing],
    base: success,
    change: { kind: "add-unknown", parameters: unknownParameters },
    expectation:
      listing.length > 0
        ? { kind: "ignored", parameters: Object.keys(unknownParameters), listing }
        : { kind: "succeeds" },
  });
  return [method, unknown, ...bodyProbes(operation)];
}

function bodyProbes(operation: ProbedOperation): Probe[] {
  const base = successesOf(operation).find(({ request: { body } }) => Object.keys(body ?? {}).length > 0);
  if (base === undefined) return [];
  // The contract leaves open which media types besides the form are supported, and the response to a malformed body.
  const open = (name: string, summary: string, change: RequestChange) =>
    makeProbe(operation, { name, summary, base, change, expectation: { kind: "any" } });
  const raw = (type: string, body: string): RequestChange => ({ kind: "raw-body", type, body });
  const malformed = [
    open("body-json", "The body is JSON", raw("application/json", JSON.stringify(base.request.body))),
    open("body-cut", "The body is a multipart form that ends early", {
      ...raw("multipart/form-data; boundary=b", '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nb'),
    }),
  ];
  if (operation.body === "multipart") return malformed;
  return [
    makeProbe(operation, {
      name: "body-charset",
      summary: "The media type of the body has `charset=utf-8`",
      rules: rulesShownBy(operation, "form-charset"),
      base,
      change: { kind: "content-type", value: "application/x-www-form-urlencoded; charset=utf-8" },
      expectation: { kind: "succeeds" },
    }),
    open("body-multipart", "The body is a multipart form", { kind: "as-multipart" }),
    open("body-broken", "The body is a form with broken percent-encoding", {
      ...raw("application/x-www-form-urlencoded", "%ZZ=%&a=%FF%FE&=&&b"),
    }),
    ...malformed,
  ];
}

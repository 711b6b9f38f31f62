import { makeProbe, successesOf } from "./listed-probes.js";
import type { Probe, RequestChange } from "./probe.js";
import type { ProbedOperation } from "./probed-operation.js";

const ignored = "conventions.ignored-parameters";

/** What no endpoint has. */
const unknownParameters = { accord_unknown: "1", accord_unknown_list: '["a"]' };

/** The request as a whole: unknown parameters, the media type of its body, bodies that are no form, and a method that nothing has. */
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
  const reports = operation.rules.has(ignored);
  const unknown = makeProbe(operation, {
    name: "unknown-parameters",
    summary: "Sent with parameters that no endpoint has",
    rules: [ignored],
    base: success,
    change: { kind: "add-unknown", parameters: unknownParameters },
    expectation: reports ? { kind: "ignored", parameters: Object.keys(unknownParameters) } : { kind: "succeeds" },
  });
  return [method, unknown, ...bodyProbes(operation)];
}

function bodyProbes(operation: ProbedOperation): Probe[] {
  const base = successesOf(operation).find(({ request: { body } }) => Object.keys(body ?? {}).length > 0);
  if (base === undefined) return [];
  // Which media types besides the form are taken, and how a malformed body is answered, is open.
  const open = (name: string, summary: string, change: RequestChange) =>
    makeProbe(operation, { name, summary, base, change, expectation: { kind: "any" } });
  const raw = (type: string, body: string): RequestChange => ({ kind: "raw-body", type, body });
  const odd = [
    open("body-json", "The body is JSON", raw("application/json", JSON.stringify(base.request.body))),
    open("body-cut", "The body is a multipart form that ends early", {
      ...raw("multipart/form-data; boundary=b", '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nb'),
    }),
  ];
  if (operation.body === "multipart") return odd;
  return [
    makeProbe(operation, {
      name: "body-charset",
      summary: "The media type of the body has `charset=utf-8`",
      rules: ["conventions.form-body"],
      base,
      change: { kind: "content-type", value: "application/x-www-form-urlencoded; charset=utf-8" },
      expectation: { kind: "succeeds" },
    }),
    open("body-multipart", "The body is a multipart form", { kind: "as-multipart" }),
    open("body-broken", "The body is a form with broken percent-encoding", {
      ...raw("application/x-www-form-urlencoded", "%ZZ=%&a=%FF%FE&=&&b"),
    }),
    ...odd,
  ];
}

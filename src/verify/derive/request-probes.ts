import type { Check, Expected, SentAs } from "../../contract/check.js";
import type { Case } from "../../contract/rest/cases.js";
import type { ProbedOperation } from "../../contract/rest/probed-operation.js";
import type { Rule } from "../../contract/rest/rule.js";
import type { CaseContext } from "./case-checks.js";
import { anyResponse, probe, rulesShownBy, success, successesOf } from "./probe.js";

/** Parameters that no endpoint has. */
const unknownParameters = { accord_unknown: "1", accord_unknown_list: '["a"]' };

/** The contract does not list such a request: it fixes only that the server does not fail. 501 is no failure (RFC 9110, section 15.6.2). */
const unlisted: Expected = { status: { any: [{ below: 500 }, 501] }, open: "any" };

/**
 * Lists changes to the request as a whole: unknown parameters, an unknown method, other media types, and malformed
 * bodies.
 */
export function requestProbes(operation: ProbedOperation, context: CaseContext): Check[] {
  const [succeeding] = successesOf(operation);
  const anyCase = succeeding ?? operation.cases[0];
  if (anyCase === undefined) return [];
  const method = unusedMethod(operation);
  if (method === undefined) return derived(operation, succeeding, context);
  const wrongMethod = probe(
    operation,
    {
      name: `method-${method.toLowerCase()}`,
      summary: `Sent with ${method}, a method that its path does not have`,
      base: anyCase,
      stateless: true,
      change: () => ({ as: "nobody", sent: { method } }),
      expect: unlisted,
    },
    context,
  );
  return [wrongMethod, ...derived(operation, succeeding, context)];
}

function derived(operation: ProbedOperation, succeeding: Case | undefined, context: CaseContext): Check[] {
  if (succeeding === undefined) return [];
  return [...unknownProbes(operation, succeeding, context), ...bodyProbes(operation, context)];
}

/** A method that the path of an operation does not have. */
function unusedMethod({ document, path }: ProbedOperation): string | undefined {
  const item = document.paths[path] ?? {};
  return (["put", "patch", "delete", "post"] as const).find((method) => item[method] === undefined)?.toUpperCase();
}

function unknownProbes(
  operation: ProbedOperation,
  base: ProbedOperation["cases"][number],
  context: CaseContext,
): Check[] {
  const accepting = rulesShownBy(operation, "unknown-parameters");
  if (accepting.length === 0) return [];
  const listing = operation.rules.filter((rule) => rule["shown-by"]?.kind === "ignored-parameters");
  const known = operation.parameters.map(({ name }) => name);
  const change = { base, change: (call: { with: object }) => ({ with: { ...call.with, ...unknownParameters } }) };
  const accepted = probe(
    operation,
    {
      ...change,
      name: "unknown-parameters",
      summary: "Sent with parameters that no endpoint has",
      rules: accepting,
      // Another fault of the response says nothing about the parameters.
      expect: { ...success, open: "any" },
    },
    context,
  );
  if (listing.length === 0) return [accepted];
  const listed = {
    all: [
      ...Object.keys(unknownParameters).map((name) => ({ includes: name })),
      ...(known.length === 0 ? [] : [{ every: { not: { any: known } } }]),
    ],
  };
  const reported = probe(
    operation,
    {
      ...change,
      name: "unknown-parameters-reported",
      summary: "Sent with parameters that no endpoint has, which the response lists",
      rules: listing.map(({ id }) => id),
      expect: { ...success, body: Object.fromEntries(listing.flatMap(pointersOf).map((at) => [at, listed])) },
    },
    context,
  );
  const steps = reported.steps.map((step) =>
    step.kind === "call" ? { ...step, precondition: "status" as const } : step,
  );
  return [accepted, { ...reported, steps }];
}

/** Where a response lists the parameters that it ignored. */
function pointersOf({ "shown-by": shownBy }: Rule): string[] {
  return shownBy?.kind === "ignored-parameters" ? [shownBy.at] : [];
}

function bodyProbes(operation: ProbedOperation, context: CaseContext): Check[] {
  const base = successesOf(operation).find(({ request: { body } }) => Object.keys(body ?? {}).length > 0);
  // Bodies that are JSON or as they are have no form to break.
  if (base === undefined || operation.body === "raw" || operation.body === "json") return [];
  // The contract leaves open which media types besides the form are supported, and the response to a malformed body.
  const open = (name: string, summary: string, sent: SentAs) =>
    probe(operation, { name, summary, base, change: () => ({ sent }), expect: anyResponse }, context);
  const malformed = [
    open("body-json", "The body is JSON", { type: "application/json", body: JSON.stringify(base.request.body) }),
    open("body-cut", "The body is a multipart form that ends early", {
      type: "multipart/form-data; boundary=b",
      body: '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nb',
    }),
  ];
  if (operation.body === "multipart") return malformed;
  const charsets = rulesShownBy(operation, "form-charset");
  const withCharset = probe(
    operation,
    {
      name: "body-charset",
      summary: "The media type of the body has `charset=utf-8`",
      rules: charsets,
      base,
      change: () => ({ sent: { type: "application/x-www-form-urlencoded; charset=utf-8" } }),
      expect: success,
    },
    context,
  );
  return [
    ...(charsets.length === 0 ? [] : [withCharset]),
    open("body-multipart", "The body is a multipart form", { multipart: true }),
    open("body-broken", "The body is a form with broken percent-encoding", {
      type: "application/x-www-form-urlencoded",
      body: "%ZZ=%&a=%FF%FE&=&&b",
    }),
    ...malformed,
  ];
}

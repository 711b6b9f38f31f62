import fc from "fast-check";
import type { OperationId } from "../../../../src/chat/operation-types.js";
import { inputsOf, type Operation } from "../../../../src/request/operation.js";
import type { PopulatedOrganization } from "../../../support/populated-organization.js";
import type { RawFraming, RawRequest } from "../../../support/raw-http.js";
import { brokenMultipart, type Field, type MultipartFault, multipartFaults } from "./broken-multipart.js";
import { type Spelling, spell, spellings } from "./encodings.js";
import { notoriousText } from "./notorious-text.js";
import { parametersTogether, plausibleTexts } from "./plausible-texts.js";
import { methods, oddAuthorizations, oddHeaders, pathFaults, usualTusHeaders } from "./request-faults.js";

/** Encodings of a body. */
const bodyForms = [
  "form",
  "form",
  "form",
  "multipart",
  "multipart",
  "json",
  "text",
  "untyped",
  "wrong charset",
] as const;
type BodyForm = (typeof bodyForms)[number];

function bodyOf(
  form: BodyForm,
  fields: readonly (Field & { readonly spelling?: Spelling })[],
  written: string,
  fault: MultipartFault,
  withFile: boolean,
): { readonly type: string | undefined; readonly body: Buffer } {
  switch (form) {
    case "form":
      return { type: "application/x-www-form-urlencoded", body: Buffer.from(written, "utf8") };
    case "multipart":
      return brokenMultipart(fields, fault, withFile);
    case "json":
      return { type: "application/json", body: Buffer.from(JSON.stringify(Object.fromEntries(fields))) };
    case "text":
      return { type: "text/plain; charset=utf-8", body: Buffer.from(written) };
    case "untyped":
      return { type: undefined, body: Buffer.from(written) };
    case "wrong charset":
      return { type: "application/x-www-form-urlencoded; charset=utf-16", body: Buffer.from(written, "utf16le") };
  }
}

/** Requests for an operation by all callers of an organization, most of them with one or more faults. */
export function malformedRequests(
  operationId: OperationId,
  operation: Operation,
  organization: PopulatedOrganization,
  callers: readonly string[],
): fc.Arbitrary<RawRequest> {
  const good = plausibleTexts(organization);
  const authorization = (caller: string) => {
    const { email, api_key: key } = organization.credentials(caller);
    return `Basic ${Buffer.from(`${email}:${key}`).toString("base64")}`;
  };
  const textsOf = (name: string) => {
    const values = good[name];
    return values === undefined
      ? notoriousText
      : fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...values) }, notoriousText);
  };
  const spelling = often("encoded" as const, fc.constantFrom(...spellings));
  const inputs = new Map(inputsOf(operation).map((one) => [one.name, one]));
  const isInPath = (name: string) => inputs.get(name)?.place === "path";
  const isMultipart = operation.bodies?.[0]?.form === "multipart";
  const parameters = [...inputs.values()].flatMap((one) => (one.isFile || one.place === "header" ? [] : one.name));
  const strange = fc.constantFrom("", "__proto__", "constructor", "a[b]", "unknown", "y".repeat(5_000));

  const outside = parameters.filter((name) => !isInPath(name));
  // Otherwise most requests would be refused because of parameters that exclude each other.
  const sent = fc.constantFrom(...(parametersTogether[operationId] ?? [outside])).chain((together) =>
    fc.tuple(
      ...outside.map((name) =>
        fc.record({
          name: fc.constant(name),
          value: textsOf(name),
          spelling,
          place: often<string>(
            together.includes(name) ? "usual" : "left out",
            fc.constantFrom("usual", "left out", "query", "twice"),
          ),
        }),
      ),
    ),
  );
  const inPath = fc.record(
    Object.fromEntries(parameters.filter(isInPath).map((name) => [name, fc.tuple(textsOf(name), spelling)])),
  );

  return fc
    .record({
      method: often<string>(operation.method, fc.constantFrom(...methods)),
      inPath,
      pathFault: often<((path: string) => string) | undefined>(undefined, fc.constantFrom(...pathFaults)),
      sent,
      extra: often([], fc.array(fc.tuple(strange, notoriousText), { maxLength: 3 })),
      form: often(isMultipart ? ("multipart" as const) : ("form" as const), fc.constantFrom(...bodyForms)),
      multipartFault: fc.constantFrom(...multipartFaults),
      framing: often<RawFraming>(
        "length",
        fc.constantFrom(
          "chunked",
          "broken-chunks",
          "cut-chunks",
          "longer-than-sent",
          "shorter-than-sent",
          "no-number",
          "negative",
          "two-lengths",
          "length-and-chunked",
          "none",
        ),
      ),
      odd: often<readonly (readonly [string, string])[]>(
        operation.parameters.some(({ place }) => place === "header") ? usualTusHeaders : [],
        fc.subarray([...oddHeaders], { minLength: 1, maxLength: 3 }),
      ),
      authorization: fc.oneof(
        {
          weight: 19,
          arbitrary: fc.constantFrom(...callers, "administrator", "administrator", "other").map(authorization),
        },
        { weight: 1, arbitrary: fc.constantFrom(undefined, ...oddAuthorizations) },
      ),
    })
    .map((made) => {
      const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
        const [value, how] = made.inPath[name] ?? ["", "encoded"];
        const whole = spell(value.slice(0, 3_000), how, "head");
        return inputs.get(name)?.slashes ? whole.replaceAll("%2F", "/") : whole;
      });
      const write = (fields: readonly { name: string; value: string; spelling: Spelling }[], place: "head" | "body") =>
        fields.map((one) => `${one.name}=${spell(one.value, one.spelling, place)}`).join("&");
      const usual = operation.method === "GET" ? "query" : "body";
      const extra = made.extra.map(([name, value]) => ({ name, value, spelling: "encoded" as const, place: "usual" }));
      const fields = [...made.sent, ...extra].flatMap((one) =>
        one.place === "left out"
          ? []
          : one.place === "twice"
            ? [one, { ...one, value: "again" }].map((each) => ({ ...each, at: usual }))
            : [{ ...one, at: one.place === "query" ? "query" : usual }],
      );
      const inQuery = fields
        .filter(({ at }) => at === "query")
        .map((one) => ({ ...one, value: one.value.slice(0, 3_000) }));
      const inBody = fields.filter(({ at }) => at === "body");
      const query = write(inQuery, "head");
      const base = `/api/v1${path}${query === "" ? "" : `?${query}`}`;
      const { type, body } = bodyOf(
        made.form,
        inBody.map(({ name, value }) => [name, value] as const),
        write(inBody, "body"),
        made.multipartFault,
        isMultipart,
      );
      const isBodyless = operation.bodies === undefined && made.form === "form" && made.framing === "length";
      const headers: (readonly [string, string])[] = [...made.odd];
      if (made.authorization !== undefined) headers.push(["Authorization", made.authorization]);
      if (!isBodyless && type !== undefined) headers.push(["Content-Type", type]);
      return {
        method: made.method,
        target: made.pathFault === undefined ? base : made.pathFault(base),
        headers,
        ...(isBodyless ? {} : { body }),
        framing: made.framing,
      };
    });
}

/** The usual value in 19 of 20 cases, because a request with many faults is refused for the first one. */
function often<Value>(usual: NoInfer<Value>, other: fc.Arbitrary<Value>): fc.Arbitrary<Value> {
  return fc.oneof({ weight: 19, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: other });
}

import type { Criterion, Expectation } from "./workflow-source.js";

/** An Arazzo criterion of a step. */
export type ArazzoCriterion = { readonly condition: string } | Criterion;

/**
 * Any refusal. Excludes 429, which leaves open whether the request would be refused and makes Respect repeat it. The schema of the
 * response excludes failures of the server, which lack the error envelope.
 */
const refusal = "$statusCode >= 400 && $statusCode != 429";

/**
 * Converts an expectation to Arazzo criteria. With `isOpenStatus`, any refusal meets an expected one. Throws an `Error` with a sentence if a
 * value cannot be compared.
 */
export function expandExpectation(
  { status = 200, ...rest }: Expectation = {},
  { isOpenStatus = false } = {},
): ArazzoCriterion[] {
  const isRefusal = status === "4XX" || (isOpenStatus && Number(status) >= 400);
  const condition = status === "any" ? "$statusCode != 429" : `$statusCode == ${status}`;
  return [
    { condition: isRefusal ? refusal : condition },
    ...Object.entries(rest).flatMap(([key, value]) => expandKey(key, value)),
  ];
}

function expandKey(key: string, value: unknown): ArazzoCriterion[] {
  if (key === "absent") {
    return (value as string[]).map((pointer) => ({
      context: "$response.body",
      condition: `$[?(!@${jsonPath(pointer)})]`,
      type: "jsonpath",
    }));
  }
  if (key === "present") {
    return (value as string[]).map((pointer) => ({ condition: `$response.body#${pointer} != null` }));
  }
  if (key === "matches") {
    return Object.entries(value as Record<string, string>).map(([pointer, condition]) => ({
      context: `$response.body#${pointer}`,
      condition,
      type: "regex",
    }));
  }
  if (key === "criteria") {
    return (value as (string | Criterion)[]).map((one) => (typeof one === "string" ? { condition: one } : one));
  }
  return leaves(key, value).map(([pointer, leaf]) => ({
    condition: `$response.body#${pointer} == ${literal(pointer, leaf)}`,
  }));
}

/** Converts `/messages/0/id` to `.messages[0].id`. */
function jsonPath(pointer: string): string {
  return pointer
    .slice(1)
    .split("/")
    .map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`))
    .join("");
}

/** Lists the values inside a value that are neither objects nor lists, with their pointers. */
function leaves(pointer: string, value: unknown): [string, unknown][] {
  if (typeof value !== "object" || value === null) return [[pointer, value]];
  const entries = Object.entries(value);
  if (entries.length === 0)
    throw new Error(`${pointer} is expected to be empty: write \`absent: [${pointer}/0]\` for an empty list`);
  return entries.flatMap(([key, inner]) =>
    leaves(`${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`, inner),
  );
}

function literal(pointer: string, value: unknown): string {
  if (typeof value !== "string") return String(value);
  if (/^\$(?:steps|credentials|response)\./.test(value)) return value;
  if (/["\\\n]/.test(value))
    throw new Error(`${pointer} has quotation marks, backslashes or line breaks: write a criterion of type regex`);
  return `"${value}"`;
}

import { isDeepStrictEqual } from "node:util";
import { valueAt } from "../json-pointer.js";
import type { Case } from "./cases.js";
import type { ContractDocument } from "./document.js";
import { listRules } from "./rules.js";

/** How checks find out whether a refused request changed something. `openapi/checks.md` explains each key. */
export interface ReadBack extends Compared {
  /** The rule that a refused request breaks if it changes something. */
  readonly rule: string;
  /** The operation that reads. */
  readonly call: string;
  /** Its query parameters. */
  readonly with: Readonly<Record<string, unknown>>;
  /** A caller who reads besides the one whose request is refused. */
  readonly as: string;
  /** The provider states that set up something to read. */
  readonly after: readonly string[];
}

/** The part of a response that must stay the same. */
export interface Compared {
  /** A JSON pointer to a list. */
  readonly compare: string;
  /** Fields of the entries that may change by themselves. */
  readonly except: readonly string[];
}

/**
 * Returns the read-back of the contract; undefined if it has none, or if its rule does not hold at the level of the
 * contract.
 */
export function findReadBack(document: ContractDocument): ReadBack | undefined {
  const readBack = document["x-read-back"] as ReadBack | undefined;
  return listRules(document).some(({ id }) => id === readBack?.rule) ? readBack : undefined;
}

/** Whether a case expects an error, after a provider state that sets up something to read back. */
export function isReadBack(
  { operationId, response, given }: Pick<Case, "operationId" | "response" | "given">,
  { call, after }: ReadBack,
): boolean {
  return response.status >= 400 && operationId !== call && given.some(({ state }) => after.includes(state));
}

/** A value that differs between two responses. */
export interface Change {
  /** A JSON pointer into the response. */
  readonly pointer: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Finds the first difference between two responses; undefined if there is none, or if one of them is not a list. */
export function findChange(before: unknown, after: unknown, { compare, except }: Compared): Change | undefined {
  const [old, current] = [valueAt(before, compare), valueAt(after, compare)];
  if (!Array.isArray(old) || !Array.isArray(current)) return undefined;
  if (old.length !== current.length) return { pointer: compare, before: old, after: current };
  for (const [index, entry] of current.entries()) {
    const [was, is] = [fieldsOf(old[index], except), fieldsOf(entry, except)];
    const name = [...new Set([...was.keys(), ...is.keys()])].find(
      (key) => !isDeepStrictEqual(was.get(key), is.get(key)),
    );
    if (name !== undefined) {
      return { pointer: `${compare}/${index}/${name}`, before: was.get(name), after: is.get(name) };
    }
  }
  return undefined;
}

function fieldsOf(entry: unknown, except: readonly string[]): ReadonlyMap<string, unknown> {
  const fields = typeof entry === "object" && entry !== null ? Object.entries(entry) : [["", entry] as const];
  return new Map(fields.filter(([name]) => !except.includes(name)));
}

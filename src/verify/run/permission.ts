import { callsOf, expectsRefusal, isOutsider } from "../../contract/calls.js";
import type { CallStep, Check } from "../../contract/check.js";
import type { CheckOutcome } from "../../report/model/check-result.js";
import type { Degree } from "../../report/model/degree.js";
import { isSafe } from "../http/call-http.js";
import { encodeCall } from "../http/encode-call.js";
import { createdAndRemoved, httpMethodOf, namedInPath, type Operations } from "./removals.js";

/** What decides which requests a run may send. */
export interface Permission {
  readonly degree: Degree;
  readonly operations: Operations;
  /** Whether the server has refused a read without credentials, and one of an unknown user. */
  readonly refusesOutsiders: boolean;
}

/** Whether a call asks for no change. */
export function isRead(call: CallStep, operations: Operations): boolean {
  return isSafe(httpMethodOf(call, operations));
}

/** The degree that a check needs: that of the call which could change the most. */
export function degreeOf(check: Check, permission: Omit<Permission, "degree">): Degree {
  const { operations } = permission;
  const calls = [...callsOf(check), ...callsOf({ steps: check.control ?? [] })];
  if (calls.every((call) => isRead(call, operations))) return "reads";
  // Its values are random, so that nothing can be said of them.
  if ("varies" in check) return "everything";
  const isUndone = leavesNothing(check, permission) || calls.every((call) => !couldAct(call, permission));
  return isUndone ? "undone" : "everything";
}

/** Whether a server is after a check as before: its author says so, or each of its writes is about what it creates and removes. */
export function leavesNothing(check: Check, permission: Omit<Permission, "degree">): boolean {
  if (check.leavesNothing) return true;
  const { operations } = permission;
  const own = createdAndRemoved(check, operations);
  const isUndone = (call: CallStep) => {
    if (own.has(call.id) || !couldAct(call, permission)) return true;
    // A request below the path of a thing may create another one.
    return isAboutOwn(call, own, operations) && (expectsRefusal(call) || httpMethodOf(call, operations) !== "POST");
  };
  return own.size > 0 && callsOf(check).every(isUndone);
}

/** Whether a call creates something that the check removes, or is about it. */
export function isAboutOwn(call: CallStep, own: ReadonlySet<string>, operations: Operations): boolean {
  return own.has(call.id) || namedInPath(call, operations).some((id) => own.has(id));
}

/**
 * Whether a server could change something on a call, also by mistake. It could not on a read, and on a write that fails however leniently
 * it is read: without credentials where those are required, without a required body, or with a body from which no value can be read.
 * Values that are wrong may be converted to correct ones, and optional parameters may be ignored.
 */
export function couldAct(call: CallStep, { operations, refusesOutsiders }: Omit<Permission, "degree">): boolean {
  const operation = operations.get(call.call ?? "");
  if (isRead(call, operations)) return false;
  if (operation === undefined || !expectsRefusal(call) || call.sent?.method !== undefined) return true;
  if (isOutsider(call.as) && operation.needsLogin && refusesOutsiders) return false;
  if (!operation.requiresBody) return true;
  const fields = operation.parameters.filter(({ place }) => place === "body");
  const hasField = fields.some(({ name }) => call.with[name] !== undefined && call.written?.[name] !== "omitted");
  const { headers, body, bytes } = encodeCall(operation, call, "");
  if (body === undefined && bytes === undefined) return hasField;
  const isJson = /[/+]json\b/i.test(headers["Content-Type"] ?? "");
  return !(isJson && typeof body === "string" && /^[{[]+$/.test(body));
}

/** The outcome of a check that the degree of a run leaves out. Undefined if the run may do what it needs. */
export function withheldOutcome(needed: Degree): CheckOutcome {
  return { kind: "skipped", reason: withheldReasons[needed], need: { kind: "degree", degree: needed } };
}

const withheldReasons: Readonly<Record<Degree, string>> = {
  reads: "",
  undone: "it writes what it removes again, or what the server can only refuse: give --allow-writes",
  everything: "it writes: give --disposable if nothing on this server matters",
};

/** How much a call could destroy, in the order of a run: reads, creates, changes, removals of one thing, and of all. */
export type Effect = 0 | 1 | 2 | 3 | 4;

/** All effects, in the order of a run. */
export const effects = [0, 1, 2, 3, 4] as const satisfies readonly Effect[];

/** The effect of an operation, by its method and by verbs in its name or path: not only DELETE removes. Paths begin with `/`. */
export function effectOf(method: string, ...names: readonly string[]): Effect {
  if (isSafe(method)) return 0;
  const words = names.flatMap((name) => name.replace(/([a-z\d])([A-Z])/g, "$1 $2").split(/[^A-Za-z]+/));
  if (method.toUpperCase() === "DELETE" || words.some((word) => removing.test(word)))
    return namesOne(names, words) ? 3 : 4;
  return method.toUpperCase() === "POST" ? 1 : 2;
}

/** Whether what removes names one thing: by the last part of its path that is no verb, else by its name. */
function namesOne(names: readonly string[], words: readonly string[]): boolean {
  const path = names.find((name) => name.startsWith("/"));
  if (path === undefined) return !words.some((word) => emptying.test(word));
  const last = path.split("/").findLast((part) => part !== "" && !removing.test(part));
  return last === undefined || last.includes("{");
}

const emptying = /^(?:all|clear|purge|wipe|truncate|prune|flush)$/i;

const removing =
  /^(?:delete|remove|destroy|erase|clear|purge|wipe|drop|reset|revoke|truncate|prune|flush|deactivate|disable|uninstall|shutdown|stop|kill|restart|restore)d?$/i;

/** The outcome of a check that falls under an exclusion. */
export function excludedOutcome(name: string): CheckOutcome {
  return { kind: "skipped", reason: `it is excluded by ${name}`, need: { kind: "exclusion", name } };
}

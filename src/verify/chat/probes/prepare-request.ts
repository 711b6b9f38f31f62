import { isDeepStrictEqual } from "node:util";
import { basicCredentials, stateSecrets } from "../states/callers.js";
import { injectValues } from "../states/inject-values.js";
import type { CallerCredentials, StatesOutcome } from "../states/states-client.js";
import type { Probe } from "./probe.js";
import { sentValue } from "./probe.js";
import { foreignMark } from "./probe-organizations.js";
import type { ProbedOperation } from "./probed-operation.js";
import { changeRequest, type WireRequest, wireRequest, wireValue, withText } from "./wire-request.js";

/** The organizations whose values a probe sends. */
export interface ProbeValues {
  /** Left out when the probe needs no states. */
  readonly own?: StatesOutcome;
  /** For a change of kind `foreign`. */
  readonly foreign?: StatesOutcome;
}

/** Which caller of the states sends a probe; undefined when none does. */
export function senderOf({ base, change, states }: Probe): string | undefined {
  if (!states || change.kind === "authorization") return undefined;
  const name = change.kind === "caller" ? change.caller : base.as;
  return name === "nobody" ? undefined : name;
}

/** A request of a probe, and what to look for in the response. */
export interface PreparedRequest {
  readonly wire: WireRequest;
  /** What must be shown nowhere. */
  readonly secrets: readonly string[];
  readonly foreignTexts: readonly string[];
  readonly foreignIds: readonly number[];
}

/** A probe cannot show anything on this server. The message says why. */
export class NotApplicableError extends Error {
  override readonly name = "NotApplicableError";
}

/**
 * The request of a probe with the values that the states returned and the credentials of its caller. Random changes are left to whoever
 * makes them. Throws a `NotApplicableError` when both organizations have the same names, and an `Error` when a value is missing that the
 * base needs.
 */
export function prepareRequest(
  probe: Probe,
  operation: ProbedOperation,
  { own, foreign }: ProbeValues,
): PreparedRequest {
  const { base, change } = probe;
  const one = own === undefined ? base : injectValues(base, own);
  const wire = changeRequest(operation, wireRequest(operation, one.request), change);
  const authorization = wire.authorization ?? authorizationOf(probe, own);
  const prepared = {
    wire: authorization === undefined ? wire : { ...wire, authorization },
    secrets: [own, foreign].flatMap((outcome) => (outcome === undefined ? [] : stateSecrets(outcome))),
  };
  if (change.kind !== "foreign" || foreign === undefined) return { ...prepared, foreignTexts: [], foreignIds: [] };
  const { parameter } = change;
  const theirs = sentValue(injectValues(base, foreign), parameter);
  if (isDeepStrictEqual(theirs, sentValue(one, parameter))) {
    throw new NotApplicableError(`another organization of this server has the same \`${parameter}\``);
  }
  const text = wireValue(
    operation.parameters.find(({ name }) => name === parameter),
    theirs,
  );
  const ours = Object.values(own?.credentials ?? {}).map(({ email }) => email);
  const emails = Object.values(foreign.credentials).map(({ email }) => email);
  const keys = Object.values(foreign.credentials).map(({ api_key }) => api_key);
  return {
    ...prepared,
    wire: withText(operation, prepared.wire, parameter, text),
    // What was sent may be repeated.
    foreignTexts: [
      ...[foreignMark, ...keys],
      ...emails.filter((email) => !ours.includes(email) && !String(text).includes(email)),
    ],
    foreignIds: [theirs].flat().filter((id) => typeof id === "number"),
  };
}

function authorizationOf(probe: Probe, own: StatesOutcome | undefined): string | undefined {
  const name = senderOf(probe);
  if (name === undefined || own === undefined) return undefined;
  const caller = Object.hasOwn(own.credentials, name) ? own.credentials[name] : undefined;
  if (caller === undefined) throw new Error(`The provider states returned no credentials of ${name}`);
  return basicCredentials(caller.email, probe.change.kind === "wrong-key" ? wrongKey(caller) : caller.api_key);
}

/** As long as the right one, and of the same kind of characters. */
function wrongKey({ api_key }: CallerCredentials): string {
  return api_key.replace(/[a-z0-9]/gi, (character) => (character === "x" ? "y" : "x"));
}

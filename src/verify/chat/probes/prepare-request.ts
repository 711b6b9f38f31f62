import { isDeepStrictEqual } from "node:util";
import { NotApplicableError } from "../../run/session.js";
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
  /** Undefined if the probe needs no states. */
  readonly own?: StatesOutcome;
  /** For a change of kind `foreign`. */
  readonly foreign?: StatesOutcome;
}

/** The name of the provider-state caller whose credentials a probe sends. Undefined if it sends no caller's credentials. */
export function senderOf({ base, change, states }: Probe): string | undefined {
  if (!states || change.kind === "authorization") return undefined;
  const name = change.kind === "caller" ? change.caller : base.as;
  return name === "nobody" ? undefined : name;
}

/** The request of a probe, and what its response must not show. */
export interface PreparedRequest {
  readonly wire: WireRequest;
  /** Secrets that must not appear in any report. */
  readonly secrets: readonly string[];
  readonly foreignTexts: readonly string[];
  readonly foreignIds: readonly number[];
}

/**
 * Builds the request of a probe from the values that the provider states returned and the credentials of its caller, without random
 * changes. Throws a `NotApplicableError` if both organizations have the same value, and an `Error` if a value is missing that the base
 * needs.
 */
export function prepareRequest(
  probe: Probe,
  operation: ProbedOperation,
  { own, foreign }: ProbeValues,
): PreparedRequest {
  const { base, change } = probe;
  const one = own === undefined ? base : injectValues(base, own);
  const wire = changeRequest(operation, wireRequest(operation, parametersOf(one.request)), change);
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
    // The response may repeat what was sent.
    foreignTexts: [
      ...[foreignMark, ...keys],
      ...emails.filter((email) => !ours.includes(email) && !String(text).includes(email)),
    ],
    foreignIds: [theirs].flat().filter((id) => typeof id === "number"),
  };
}

function parametersOf({ path, query, header, body }: Probe["base"]["request"]): Readonly<Record<string, unknown>> {
  return { ...path, ...query, ...header, ...body };
}

function authorizationOf(probe: Probe, own: StatesOutcome | undefined): string | undefined {
  const name = senderOf(probe);
  if (name === undefined || own === undefined) return undefined;
  const caller = Object.hasOwn(own.credentials, name) ? own.credentials[name] : undefined;
  if (caller === undefined) throw new Error(`The provider states returned no credentials of ${name}`);
  return basicCredentials(caller.email, probe.change.kind === "wrong-key" ? wrongKey(caller) : caller.api_key);
}

/** Makes a key of the same length and kind of characters as the valid one. */
function wrongKey({ api_key }: CallerCredentials): string {
  return api_key.replace(/[a-z0-9]/gi, (character) => (character === "x" ? "y" : "x"));
}

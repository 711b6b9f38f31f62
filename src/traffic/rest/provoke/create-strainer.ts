import { fnv1a } from "../../../base/fnv1a.js";
import type { ContractDocument } from "../../../contract/rest/document.js";
import type { ProbedParameter } from "../../../contract/rest/probed-operation.js";
import { typesOf } from "../../../contract/rest/schema-types.js";
import type { ResponseValidators } from "../../../contract/rest/validator.js";
import { createErrorBody } from "../../../mock/rest/error-body.js";
import type { Interception } from "../../forward/passage.js";
import type { OperationAtLevel, OperationsAtLevel } from "../exchange/operations-at-level.js";
import {
  applyStrain,
  parseExactly,
  type StrainContext,
  type StrainName,
  statesLevel,
  strains,
  withLevelOf,
} from "./strains.js";

/** Strains the clients of a proxy. */
export interface Strainer {
  /** Decides how to treat a call to an operation. */
  readonly intercept: (method: string, target: string, operation: OperationAtLevel) => Interception;
}

/** How to strain clients. */
export interface StrainOptions {
  /** An integer of at least 0. The same requests in the same order get the same treatment. */
  readonly seed: number;
  /** How long a slow response takes, in milliseconds. Defaults to 3,000. */
  readonly slowMs?: number;
}

/** One in this many requests is refused with 429, and one in this many gets a slow response. */
const rateLimitEvery = 6;
const slowEvery = 9;
/** The maximum number of slow responses in a run, so that a test suite ends in reasonable time. */
const maxSlow = 10;
const retryAfterSeconds = 1;
/** Larger bodies are passed on unchanged: changing them would hold up all other requests for more than a moment. */
export const maxChangedLength = 256 * 1024;
export const maxChangedValues = 10_000;

/** How many refused requests are remembered, so that their repetition is not refused again. */
const maxRemembered = 1_000;

/** The strains of the level of the server. A run has one of them. */
const levelStrains = ["older-level", "no-level"] as const satisfies readonly StrainName[];

/** The other strains that change responses. */
const changes = (Object.keys(strains) as StrainName[]).filter(
  (name) => !["rate-limit", "slow-answers", ...levelStrains].includes(name),
);

/**
 * Creates a strainer. It strains about two of three calls, each in one way, and prefers the strain that it has applied
 * least. All responses that contain the level of the server state the same one, because a server has one level.
 */
export function createStrainer(
  { contract, level }: Pick<OperationsAtLevel, "contract" | "level">,
  validators: ResponseValidators,
  { seed, slowMs = 3_000 }: StrainOptions,
): Strainer {
  const done = new Map<StrainName, number>();
  const refused = new Set<string>();
  const olderLevel = olderThan(level, seed);
  const levelStrain = level === 0 ? "no-level" : (levelStrains[fnv1a(`${seed} level strain`) % 2] ?? "no-level");
  let [calls, slow] = [0, 0];
  const random = (below: number, about: string) => fnv1a(`${seed} ${about}`) % below;
  const offset = { rateLimit: random(rateLimitEvery, "429"), slow: random(slowEvery, "slow") };

  function note(name: StrainName): readonly string[] {
    done.set(name, (done.get(name) ?? 0) + 1);
    return [name];
  }

  /** A refused call is not refused again when the client repeats it. */
  function mayRefuse(call: string): boolean {
    if (refused.delete(call)) return false;
    refused.add(call);
    const [oldest] = refused;
    if (refused.size > maxRemembered && oldest !== undefined) refused.delete(oldest);
    return true;
  }

  function intercept(method: string, target: string, operation: OperationAtLevel): Interception {
    const number = calls++;
    if (number % rateLimitEvery === offset.rateLimit && mayRefuse(`${method} ${target}`)) {
      const how = note("rate-limit");
      return { provoked: () => how, answer: tooManyRequests(contract) };
    }
    const isAboutLevel = statesLevel(contract, operation.operationId);
    const isSlow = number % slowEvery === offset.slow && slow < maxSlow;
    const isPlain = isSlow || random(3, `${number}`) === 0;
    let provoked: readonly string[] = [];
    if (isSlow) {
      slow++;
      provoked = note("slow-answers");
    }
    return {
      provoked: () => provoked,
      ...(isSlow ? { delayMs: slowMs } : {}),
      ...(isPlain && !isAboutLevel ? {} : { change }),
    };

    function change(status: number, text: string): string | undefined {
      if (isTooLarge(text)) return undefined;
      const body = parseExactly(text);
      if (typeof body !== "object" || body === null) return text;
      const mayBeText = (name: string) =>
        operation.parameters.some((one) => one.name === name && acceptsText(operation, one));
      const context = { contract, validators, operationId: operation.operationId, status, olderLevel, mayBeText };
      const changed = isPlain ? undefined : firstChange(number, body, context);
      if (!isAboutLevel) return changed ?? text;
      const stated = withLevelOf(contract, body, changed === undefined ? body : (parseExactly(changed) as object));
      const level = applyStrain(levelStrain, stated, context);
      if (level === undefined) return changed ?? text;
      provoked = [...provoked, ...note(levelStrain)];
      return level;
    }

    /** Applies the strain that has been applied least of those that change the response. */
    function firstChange(about: number, body: object, context: StrainContext): string | undefined {
      const order = [...changes].sort(
        (a, b) =>
          (done.get(a) ?? 0) - (done.get(b) ?? 0) || random(1000, `${about} ${a}`) - random(1000, `${about} ${b}`),
      );
      for (const name of order) {
        const changed = applyStrain(name, body, context);
        if (changed === undefined) continue;
        provoked = [...provoked, ...note(name)];
        return changed;
      }
      return undefined;
    }
  }

  return { intercept };
}

/** Whether a parameter is an integer, for which a client may also send a word. */
function acceptsText({ document }: OperationAtLevel, { json, schema }: ProbedParameter): boolean {
  const types = typesOf(document, schema);
  return !json && types.has("integer") && types.has("string");
}

/** Whether a body has too many characters or values. Each value follows a bracket or comma. */
function isTooLarge(text: string): boolean {
  if (text.length > maxChangedLength) return true;
  return (text.match(/[,[{]/g)?.length ?? 0) > maxChangedValues;
}

function tooManyRequests(contract: ContractDocument) {
  const { mediaType, body } = createErrorBody(contract)(429, "Too many requests: try again later");
  return {
    status: 429,
    headers: { "Content-Type": mediaType, "Retry-After": String(retryAfterSeconds) },
    text: JSON.stringify(body),
  };
}

/** A level below that of the server, at which the contract differs. */
function olderThan(level: number, seed: number): number {
  return level === 0 ? 0 : fnv1a(`${seed} level`) % level;
}

import type { RpcRule, Surface, UrlPart } from "../../contract/rpc/cases.js";
import { createSecretFinder } from "../../secrets/find-secrets.js";
import type { Answer } from "../../verify/rpc/answer.js";
import { readableTexts } from "../../verify/rpc/readable-texts.js";
import type { UrlSecret } from "../../verify/rpc/url-parts.js";
import type { Finding } from "../judge/finding.js";
import { findingOf } from "../judge/finding.js";

/** The rules about secrets that a single response can break. */
export function leakRules(rules: readonly RpcRule[]): RpcRule[] {
  return rules.filter(
    ({ broken: { leak = [], part } = {}, untestable }) =>
      untestable === undefined && (isAboutOneSurface(leak) || part !== undefined),
  );
}

/** Searches everything in a response that the caller can read for secrets of the request's URL. */
export function findLeaks(answer: Answer, secrets: readonly UrlSecret[], rules: readonly RpcRule[]): Finding[] {
  if (secrets.length === 0 || leakRules(rules).length === 0) return [];
  const find = createSecretFinder(secrets.map(({ secret }) => secret));
  return readableTexts(answer).flatMap(({ surface, place, texts }): Finding[] => {
    const shown = new Set(texts.flatMap(find));
    if (shown.size === 0) return [];
    const parts = secrets.filter(({ secret }) => shown.has(secret)).map(({ part }) => part);
    const problem = `${place} shows a secret of the URL`;
    const rule = ruleOfLeak(surface, parts, rules);
    return rule === undefined ? [] : [findingOf("server", rule, problem, surface)];
  });
}

/** The rules about secrets of a URL in later calls. */
export function laterRules(rules: readonly RpcRule[]): RpcRule[] {
  return rules.filter(({ broken }) => broken?.later === true);
}

/** Searches a response for secrets of the URLs of earlier calls. */
export function findLaterLeaks(answer: Answer, secrets: readonly UrlSecret[], rules: readonly RpcRule[]): Finding[] {
  const later = laterRules(rules);
  if (later.length === 0) return [];
  return findLeaks(answer, secrets, rules).flatMap(({ subject = "", problem }) =>
    later.map((rule) =>
      findingOf("server", rule, problem.replace("of the URL", "of the URL of an earlier call, which failed"), subject),
    ),
  );
}

/** The rules that an error shows kept if it shows none of the secrets. */
export function rulesOfSilence(secrets: readonly UrlSecret[], rules: readonly RpcRule[]): string[] {
  const parts = new Set(secrets.map(({ part }) => part));
  if (parts.size === 0) return [];
  return leakRules(rules)
    .filter(({ shown, broken: { part } = {} }) => shown?.by === "error" && (part === undefined || parts.has(part)))
    .map(({ id }) => id);
}

/**
 * The rule that a leak breaks: that of the surface. If the surface or every part is secret only by a recommendation, the rule of that
 * recommendation.
 */
function ruleOfLeak(surface: Surface, parts: readonly UrlPart[], all: readonly RpcRule[]): RpcRule | undefined {
  const rules = leakRules(all);
  const ofSurface = rules.find(({ broken: { leak = [] } = {} }) => isAboutOneSurface(leak) && leak[0] === surface);
  const ofParts = rules.filter(({ broken: { part } = {} }) => part !== undefined && parts.includes(part));
  const isStated = ofParts.some(({ strength }) => strength !== "should");
  const recommended = [ofSurface, ...(isStated ? [] : ofParts)].find((rule) => rule?.strength === "should");
  return recommended ?? ofSurface;
}

function isAboutOneSurface(leak: readonly Surface[]): boolean {
  return leak.length === 1 && leak[0] !== "logs";
}

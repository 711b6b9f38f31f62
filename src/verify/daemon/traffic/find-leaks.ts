import type { DaemonRule, Surface, UrlPart } from "../../../contract/daemon/cases.js";
import type { Finding } from "../../traffic/traffic.js";
import type { Answer } from "../answer.js";
import { readableTexts } from "../readable-texts.js";
import { createSecretFinder, showsPlainly, showsSecret } from "../secret-finder.js";
import type { UrlSecret } from "./url-parts.js";

/** The rules about secrets that a single response can break. */
export function leakRules(rules: readonly DaemonRule[]): DaemonRule[] {
  return rules.filter(
    ({ broken: { leak = [], part, respelled } = {}, untestable }) =>
      untestable === undefined && (isAboutOneSurface(leak) || part !== undefined || respelled === true),
  );
}

/** Searches everything in a response that the caller can read for secrets of the request's URL. */
export async function findLeaks(
  answer: Answer,
  secrets: readonly UrlSecret[],
  rules: readonly DaemonRule[],
): Promise<Finding[]> {
  if (secrets.length === 0) return [];
  const texts = secrets.map(({ secret }) => secret);
  const find = createSecretFinder(texts);
  const findings: Finding[] = [];
  for (const { surface, place, texts: readable } of readableTexts(answer)) {
    const read = readable.filter((text) => text !== "");
    const isPlain = read.some((text) => showsPlainly(text, texts));
    if (!isPlain && !(await showsAny(read, find))) continue;
    const shown = secrets.filter(({ secret }) => !isPlain || read.some((text) => showsPlainly(text, [secret])));
    const rule = ruleOfLeak({ surface, parts: shown.map(({ part }) => part), isPlain }, rules);
    findings.push({
      party: "server",
      ...rule,
      subject: surface,
      problem: `${place} shows a secret of the URL${isPlain ? "" : " in another spelling"}`,
    });
  }
  return findings;
}

/** The rules about secrets of a URL in later calls. */
export function laterRules(rules: readonly DaemonRule[]): DaemonRule[] {
  return rules.filter(({ broken }) => broken?.later === true);
}

/** Searches a response for secrets of the URLs of earlier calls. */
export async function findLaterLeaks(
  answer: Answer,
  secrets: readonly UrlSecret[],
  rules: readonly DaemonRule[],
): Promise<Finding[]> {
  const later = laterRules(rules);
  if (later.length === 0) return [];
  const leaks = await findLeaks(answer, secrets, rules);
  return leaks.flatMap(({ subject = "", problem }) =>
    later.map(
      ({ id, strength }): Finding => ({
        party: "server",
        rule: id,
        strength: strength === "should" ? "should" : "must",
        subject,
        problem: problem.replace("of the URL", "of the URL of an earlier call, which failed"),
      }),
    ),
  );
}

/** The rules that an error shows kept if it shows none of the secrets. */
export function rulesOfSilence(secrets: readonly UrlSecret[], rules: readonly DaemonRule[]): string[] {
  const parts = new Set(secrets.map(({ part }) => part));
  if (parts.size === 0) return [];
  return leakRules(rules)
    .filter(({ shown, broken: { part } = {} }) => shown?.by === "error" && (part === undefined || parts.has(part)))
    .map(({ id }) => id);
}

interface Leak {
  readonly surface: Surface;
  readonly parts: readonly UrlPart[];
  readonly isPlain: boolean;
}

/**
 * The rule that a leak breaks: that of the surface. If the surface, the spelling or every part is secret only by a recommendation, the
 * rule of that recommendation.
 */
function ruleOfLeak({ surface, parts, isPlain }: Leak, all: readonly DaemonRule[]): Pick<Finding, "rule" | "strength"> {
  const rules = leakRules(all);
  const ofSurface = rules.find(({ broken: { leak = [] } = {} }) => isAboutOneSurface(leak) && leak[0] === surface);
  const ofSpelling = isPlain ? undefined : rules.find(({ broken }) => broken?.respelled === true);
  const ofParts = rules.filter(({ broken: { part } = {} }) => part !== undefined && parts.includes(part));
  const isStated = ofParts.some(({ strength }) => strength !== "should");
  const recommended = [ofSurface, ofSpelling, ...(isStated ? [] : ofParts)].find((rule) => rule?.strength === "should");
  const broken = recommended ?? ofSurface;
  return {
    ...(broken === undefined ? {} : { rule: broken.id }),
    strength: broken?.strength === "should" ? "should" : "must",
  };
}

function isAboutOneSurface(leak: readonly Surface[]): boolean {
  return leak.length === 1 && leak[0] !== "logs";
}

async function showsAny(texts: readonly string[], find: (text: string) => readonly string[]): Promise<boolean> {
  for (const text of texts) if (await showsSecret(text, find)) return true;
  return false;
}

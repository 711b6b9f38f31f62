import {
  createSecretFinder,
  defineRpcTrafficJudge,
  type JudgedByCode,
  type SeenCall,
  type Surface,
  secretsOfUrl,
  type UrlPart,
  type UrlSecret,
} from "../../src/checks.js";

/** The rule that calls a part of a URL a secret. */
const ruleOfPart: Readonly<Record<UrlPart, string>> = {
  password: "redaction.password",
  "query-value": "redaction.query-value",
  "query-token": "redaction.query-token",
  path: "redaction.path",
  "bare-query": "redaction.bare-query",
  fragment: "redaction.fragment",
  "nested-url": "redaction.nested-url",
  "user-name": "redaction.user-name",
  words: "redaction.words",
  unsupported: "redaction.before-fetching",
};
const ruleOfSurface: Readonly<Record<Surface, string>> = {
  message: "redaction.message",
  details: "redaction.details",
  metadata: "redaction.metadata",
  reply: "redaction.reply",
};
/** The parts that only a recommendation calls secret. */
const recommended: ReadonlySet<UrlPart> = new Set(["user-name", "words", "unsupported"]);
const laterRule = "redaction.later-calls";
/** How many URLs of failed calls are remembered. */
const maxFailed = 10;

/** In code, because it finds out which parts of a URL are secrets, and where a response shows them. */
export const redactionInTraffic = defineRpcTrafficJudge({
  rules: [...Object.values(ruleOfSurface), ...Object.values(ruleOfPart), laterRule],
  judge: () => {
    const failed: string[] = [];
    return (call) => {
      const own = call.secrets.flatMap(secretsOfUrl);
      if (call.status === "ok") return { broken: findLeaks(call, own), shown: [] };
      const earlier = failed
        .flatMap(secretsOfUrl)
        .filter((one) => !own.some(({ secret }) => secret.includes(one.secret)));
      failed.push(...call.secrets);
      failed.splice(0, failed.length - maxFailed);
      const ofLater = findLeaks(call, earlier).map(({ problem, subject }) => ({
        ...{ rule: laterRule, subject },
        problem: problem.replace("of the URL", "of the URL of an earlier call, which failed"),
      }));
      return {
        broken: [...findLeaks(call, own), ...ofLater],
        shown: [...rulesOfSilence(own), ...(earlier.length === 0 ? [] : [laterRule])],
      };
    };
  },
});

/** Searches everything in a response that the caller can read for secrets. */
function findLeaks({ texts }: SeenCall, secrets: readonly UrlSecret[]) {
  if (secrets.length === 0) return [];
  const find = createSecretFinder(secrets.map(({ secret }) => secret));
  return Object.entries(texts).flatMap(([name, places]) =>
    Object.entries(places).flatMap(([place, text]): { rule: string; problem: string; subject: string }[] => {
      const shown = new Set(find(text));
      if (shown.size === 0) return [];
      const surface = name as Surface;
      const parts = secrets.filter(({ secret }) => shown.has(secret)).map(({ part }) => part);
      return [{ rule: ruleOfLeak(surface, parts), problem: `${place} shows a secret of the URL`, subject: surface }];
    }),
  );
}

/** The rule that a leak breaks: that of the surface. If every part is secret only by a recommendation, the rule of that recommendation. */
function ruleOfLeak(surface: Surface, parts: readonly UrlPart[]): string {
  const [first] = parts;
  const isStated = first === undefined || surface === "reply" || parts.some((part) => !recommended.has(part));
  return isStated ? ruleOfSurface[surface] : ruleOfPart[first];
}

/** The rules that an error shows kept if it shows none of the secrets. */
function rulesOfSilence(secrets: readonly UrlSecret[]): JudgedByCode["shown"] {
  if (secrets.length === 0) return [];
  const { reply: _, ...surfaces } = ruleOfSurface;
  return [...Object.values(surfaces), ...new Set(secrets.map(({ part }) => ruleOfPart[part]))];
}

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { limits } from "../src/limits.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (file: string) => readFileSync(`${root}${file}`, "utf8");

const sources = readdirSync(`${root}src`, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .sort();

/** What the person who starts a command chooses, and what is no bound on others. */
const own = ["maxLevel", "maxRate", "maxSeed", "maxTimeoutMs"];

/** What only shortens what is shown, bounds what this package itself does, or is a fact of a protocol or platform. */
const notOfStrangers = [
  "maxAgeSeconds",
  "maxAttempts",
  "maxBodyLength",
  "maxBoundaryLength",
  "maxCandidates",
  "maxDepth",
  "maxEndBytes",
  "maxEnumValues",
  "maxFileLength",
  "maxFindings",
  "maxGenerated",
  "maxGoAwayBytes",
  "maxHeaderLength",
  "maxInLane",
  "maxListed",
  "maxMemberDepth",
  "maxMessageLength",
  "maxMissingBytes",
  "maxNameLength",
  "maxNamedOperations",
  "maxOptionalDepth",
  "maxOptionalParts",
  "maxOptionalTurns",
  "maxOptionalValues",
  "maxPartLength",
  "maxParts",
  "maxPathBytes",
  "maxPieces",
  "maxPolls",
  "maxQuickMs",
  "maxQuoteLength",
  "maxRead",
  "maxReasonLength",
  "maxReasons",
  "maxRemembered",
  "maxRepetitions",
  "maxRequiredDepth",
  "maxSecrets",
  "maxSize",
  "maxSlow",
  "maxSpelling",
  "maxSteps",
  "maxSubjectLength",
  "maxSuccesses",
  "maxSuccessors",
  "maxTextLength",
  "maxTimerMs",
  "maxTriedAlone",
  "maxTries",
  "maxUrlLength",
];

it("exports each bound, so that it is listed", () => {
  const found = sources
    .filter((file) => !/^(?:report|cli)\//.test(file))
    .flatMap((file) => [...read(`src/${file}`).matchAll(/^const (max[A-Z]\w*)/gm)].map(([, name]) => name));
  expect(found.filter((name) => !notOfStrangers.includes(name ?? ""))).toEqual([]);
});

it("lists every exported bound on what strangers can make a process hold", () => {
  const bounds = sources.flatMap((file) =>
    [...read(`src/${file}`).matchAll(/^export const (max[A-Z]\w*)/gm)].map(
      ([, name]) => `${file.slice(0, -3)} ${name}`,
    ),
  );
  const table = read("src/limits.ts");
  const missing = bounds.filter((bound) => {
    const [file = "", name = ""] = bound.split(" ");
    const imported = [...table.matchAll(/import \{([^}]*)\} from "\.\/(.*)\.js"/g)].find(([, , from]) => from === file);
    return !own.includes(name) && !new RegExp(`\\b${name}\\b`).test(imported?.[1] ?? "");
  });
  expect(missing).toEqual([]);
  expect(limits.every(([, value]) => value > 0)).toBe(true);
});

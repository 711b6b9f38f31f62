import type { ContractDocument } from "../../src/contract/rest/document.js";
import { changeName, type Feature, listFeatures } from "../../src/contract/rest/features.js";
import { listOperations } from "../../src/contract/rest/operations.js";
import { listAllRules } from "../../src/contract/rest/rules.js";

interface Entry {
  readonly level: number;
  /** The name of the changed feature or rule. */
  readonly name: string;
  readonly text: string;
}

/** The page `generated/guides/feature-levels.md`: the changes of each feature level, grouped by operation. */
export function featureLevelPage(document: ContractDocument): string {
  const operations = listOperations(document).map(({ operation }) => operation["x-feature"]);
  const entries = [...listFeatures(document).flatMap(featureEntries), ...ruleEntries(document)];
  const levels = [...new Set(entries.map(({ level }) => level))].sort((a, b) => a - b);
  const sections = levels.map((level) => {
    const groups = new Map<string, Set<string>>();
    for (const { name, text } of entries.filter((entry) => entry.level === level)) {
      const operation = operations.find((feature) => name === feature || name.startsWith(`${feature}.`));
      const heading = operation === undefined ? "All operations" : `\`${operation}\``;
      groups.set(heading, (groups.get(heading) ?? new Set()).add(text));
    }
    const parts = [...groups].map(
      ([heading, texts]) => `### ${heading}\n\n${[...texts].map((text) => `- ${text}\n`).join("")}`,
    );
    return `## Level ${level}\n\n${parts.join("\n")}`;
  });
  return `<!-- Written by \`npm run generate\`. Not to be edited. -->

# Feature levels of the chat service

A chat server reports its level in \`service_feature_level\` of \`GET /server_settings\`; a server without this field has level 0. A server of
level N has every change of an earlier level, and should have those of level N. \`npx --no-install accord spec chat --feature-level N\` prints the
contract at a level, and \`supports(level, feature)\` checks for a feature or, with a level after the name (\`messages.edit@159\`), for
its change at that level.

${sections.join("\n")}`;
}

function featureEntries({ name, level, part }: Feature): Entry[] {
  if (level === undefined) return [];
  const subject = (featureName = name) =>
    part === undefined
      ? `\`${featureName}\``
      : `\`${featureName}\` (${part.trim().replace(/\s+/g, " ").replace(/\.$/, "")})`;
  const { deprecated } = level;
  const note = level.note === undefined ? "" : ` ${level.note}`;
  return [
    ...(level.added === undefined ? [] : [{ level: level.added, name, text: `Added ${subject()}.${note}` }]),
    ...(level.changed ?? []).map((change) => ({
      level: change.level,
      name,
      text: `Changed ${subject(changeName(name, change.level))}: ${change.note}`,
    })),
    ...(deprecated === undefined
      ? []
      : [{ level: deprecated, name, text: `Deprecated ${subject(changeName(name, deprecated))}.` }]),
    ...(level.removed === undefined ? [] : [{ level: level.removed, name, text: `Removed ${subject()}.` }]),
  ];
}

function ruleEntries(document: ContractDocument): Entry[] {
  return listAllRules(document).flatMap(({ id, party, text, since, until }) => {
    const rule = party === "client" ? "rule for clients" : "rule";
    return [
      ...(since === undefined ? [] : [{ level: since, name: id, text: `New ${rule}: ${text} (\`${id}\`)` }]),
      ...(until === undefined ? [] : [{ level: until, name: id, text: `Dropped ${rule}: ${text} (\`${id}\`)` }]),
    ];
  });
}

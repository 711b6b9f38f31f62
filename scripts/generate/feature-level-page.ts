import type { ContractDocument } from "../../src/contract/chat/document.js";
import { type Feature, listFeatures } from "../../src/contract/chat/features.js";
import { listRules } from "../../src/contract/chat/rules.js";

interface Entry {
  readonly level: number;
  readonly text: string;
}

/** The page `docs/feature-levels.md`: what each feature level brought, as the contract has it. */
export function featureLevelPage(document: ContractDocument): string {
  const entries = [...listFeatures(document).flatMap(entriesOf), ...ruleEntries(document)];
  const levels = [...new Set(entries.map(({ level }) => level))].sort((a, b) => a - b);
  const rows = levels.map((level) => {
    const texts = new Set(entries.filter((entry) => entry.level === level).map(({ text }) => text));
    return `| ${level} | ${[...texts].join("<br>").replaceAll("|", "\\|")} |`;
  });
  return `<!-- Written by \`npm run generate\`. Not to be edited. -->

# Feature levels

A server says its level in \`service_feature_level\` of \`GET /server_settings\`; none means 0. A server of level N has everything that
is listed up to N. \`npx accord spec chat --feature-level N\` prints the contract as of a level, and \`supports(level, feature)\` asks
for one feature.

| Level | Change |
|---|---|
${rows.join("\n")}
`;
}

function entriesOf({ name, level, part }: Feature): Entry[] {
  if (level === undefined) return [];
  const subject =
    part === undefined ? `\`${name}\`` : `\`${name}\` (${part.trim().replace(/\s+/g, " ").replace(/\.$/, "")})`;
  const note = level.note === undefined ? "" : ` ${level.note}`;
  return [
    ...(level.added === undefined ? [] : [{ level: level.added, text: `Added ${subject}.${note}` }]),
    ...(level.changed ?? []).map((change) => ({ level: change.level, text: `Changed ${subject}: ${change.note}` })),
    ...(level.deprecated === undefined ? [] : [{ level: level.deprecated, text: `Deprecated ${subject}.` }]),
    ...(level.removed === undefined ? [] : [{ level: level.removed, text: `Removed ${subject}.` }]),
  ];
}

function ruleEntries(document: ContractDocument): Entry[] {
  return listRules(document).flatMap(({ id, text, since, until }) => [
    ...(since === undefined ? [] : [{ level: since, text: `From here: ${text} (\`${id}\`)` }]),
    ...(until === undefined ? [] : [{ level: until, text: `No longer: ${text} (\`${id}\`)` }]),
  ]);
}

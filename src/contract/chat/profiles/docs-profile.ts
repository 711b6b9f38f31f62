import { isClientRule } from "../client-rules.js";
import type { ContractDocument } from "../document.js";
import { featureLevelOf } from "../feature-level.js";
import { listOperations } from "../operations.js";
import type { Rule } from "../rules.js";
import { mapNodes, withoutExtensions } from "./map-nodes.js";

/**
 * The contract for documentation: adds rules and feature levels to the descriptions, and does not mark objects as open, because all
 * are.
 */
export function docsProfile(document: ContractDocument): ContractDocument {
  const profile = mapNodes(document, withLevel) as ContractDocument;
  const root = profile["x-rules"] ?? [];
  profile.info.description = `${String(profile.info.description ?? "")}${ruleList(root)}`;
  for (const { operation } of listOperations(profile)) {
    operation.description = `${operation.description ?? ""}${ruleList(operation["x-rules"] ?? [])}`;
  }
  return withoutExtensions(profile);
}

function ruleList(rules: readonly Rule[]): string {
  const ofClients = rules.filter(isClientRule);
  return `${section(
    "Rules",
    rules.filter((rule) => !isClientRule(rule)),
  )}${section("Rules for clients", ofClients)}`;
}

function section(heading: string, rules: readonly Rule[]): string {
  const lines = rules.map(({ text, source, since, until }) => {
    const levels = [
      since === undefined ? "" : `from level ${since}`,
      until === undefined ? "" : `until level ${until}`,
    ];
    const note = levels.filter(Boolean).join(", ");
    return `- ${text}${note === "" ? "" : ` (${note})`}${source === undefined ? "" : ` *Source: ${source}*`}`;
  });
  return lines.length === 0 ? "" : `\n\n**${heading}**\n\n${lines.join("\n")}\n`;
}

function withLevel({ additionalProperties, ...node }: Record<string, unknown>): Record<string, unknown> {
  const kept =
    additionalProperties === undefined || additionalProperties === true ? node : { ...node, additionalProperties };
  const level = featureLevelOf(node);
  if (level === undefined || typeof node.description !== "string") return kept;
  const notes = [
    ...(level.added === undefined ? [] : [`Since feature level ${level.added}.`]),
    ...(level.changed ?? []).map((change) => `Feature level ${change.level}: ${change.note}`),
    ...(level.deprecated === undefined ? [] : [`Deprecated since feature level ${level.deprecated}.`]),
    ...(level.removed === undefined ? [] : [`Removed in feature level ${level.removed}.`]),
  ];
  return { ...kept, description: `${node.description.trimEnd()} ${notes.join(" ")}` };
}

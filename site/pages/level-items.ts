import { isClientRule } from "../../src/contract/chat/client-rules.js";
import type { Rule } from "../../src/contract/chat/rule.js";
import type { LevelItem } from "../levels/compare-levels.js";
import { isEveryLevel, rangesWhere } from "../levels/level-ranges.js";
import type { LevelledPiece } from "../levels/levelled.js";
import type { OperationParts } from "./chat/operation-parts.js";
import { responseRowId } from "./chat/operation-responses.js";
import { conventionsPage, operationPage, type SiteSource } from "./site-source.js";

/** The parts of the chat contract that differ between levels. */
export function listLevelItems({ views, operations }: SiteSource): LevelItem[] {
  const { whole } = views;
  const rulesAt = new Map(
    views.levels.map((level) => [level, new Set((views.at(level)["x-rules"] ?? []).map(({ id }) => id))]),
  );
  const shared = (whole["x-rules"] ?? []).map((rule) =>
    ruleItem(rule, conventionsPage, undefined, [
      rangesWhere(views.levels, (level) => rulesAt.get(level)?.has(rule.id) ?? false),
    ]),
  );
  const items = [...shared, ...operations.flatMap((parts) => itemsOf(views.levels, parts))];
  return items.filter(({ forms }) => !(forms.length === 1 && isEveryLevel(forms[0] ?? [])));
}

function itemsOf(levels: readonly number[], parts: OperationParts): LevelItem[] {
  const { operation, head, parameters, responses, ruleHoldsAt } = parts;
  const { operationId, summary } = operation;
  const page = operationPage(operationId);
  return [
    ...head.map((piece) => toItem(piece, { kind: "operation", name: operationId, operation: summary, href: page })),
    ...parameters.map((piece) =>
      toItem(piece, { kind: "parameter", name: piece.key, operation: summary, href: `${page}#parameter-${piece.key}` }),
    ),
    ...responses.flatMap((response) =>
      response.rows
        .filter(({ key }) => key !== "other")
        .map((piece) =>
          toItem(piece, {
            kind: response.isError ? "error code" : "response field",
            name: piece.key,
            operation: summary,
            href: `${page}#${responseRowId(response, piece.key)}`,
          }),
        ),
    ),
    ...(operation["x-rules"] ?? []).map((rule) =>
      ruleItem(rule, page, summary, [rangesWhere(levels, (level) => ruleHoldsAt(rule.id, level))]),
    ),
  ];
}

function toItem({ forms, levels = {} }: LevelledPiece, item: Omit<LevelItem, "forms">): LevelItem {
  const { changed, deprecated } = levels;
  return {
    ...item,
    forms: forms.map(({ ranges }) => ranges),
    ...(changed === undefined ? {} : { changes: changed.map(({ level, note }) => ({ level, note })) }),
    ...(deprecated === undefined ? {} : { deprecated }),
  };
}

function ruleItem(rule: Rule, page: string, operation: string | undefined, forms: LevelItem["forms"]): LevelItem {
  const { id, text } = rule;
  const kind = isClientRule(rule) ? "rule for clients" : "rule";
  return { kind, name: id, ...(operation === undefined ? {} : { operation }), href: `${page}#rule-${id}`, text, forms };
}

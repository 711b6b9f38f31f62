import {
  type ContractDocument,
  type OperationObject,
  type ResponseObject,
  resolve,
} from "../../src/contract/rest/document.js";
import { featureLevelOf } from "../../src/contract/rest/feature-level.js";
import { type ListedOperation, listOperations } from "../../src/contract/rest/operations.js";
import { richText } from "../../src/docs/fragment.js";
import { html } from "../../src/report/html/html.js";
import { levelNotes } from "../levels/level-notes.js";
import { type LevelRange, rangesWhere } from "../levels/level-ranges.js";
import type { LevelViews } from "../levels/level-views.js";
import { type LevelledPiece, mergeLevels } from "../levels/levelled.js";
import { parameterRows, responseRows } from "./operation-fields.js";
import { errorRows, responseHead } from "./response-parts.js";

/** An operation, divided into the pieces that its page and the page of error codes use. */
export interface OperationParts extends ListedOperation {
  /** The levels at which the operation exists. */
  readonly present: readonly LevelRange[];
  /** One piece: the description. */
  readonly head: readonly LevelledPiece[];
  readonly parameters: readonly LevelledPiece[];
  readonly responses: readonly ResponseParts[];
  readonly ruleHoldsAt: (id: string, level: number) => boolean;
}

/** A response with the fields of its body, or with its codes if it is an error. */
export interface ResponseParts {
  readonly status: string;
  readonly isError: boolean;
  readonly head: readonly LevelledPiece[];
  readonly rows: readonly LevelledPiece[];
}

/** Divides the operations of all levels into their parts. */
export function listOperationParts(views: LevelViews): OperationParts[] {
  return listOperations(views.whole).map((listed) => {
    const found = new Map(
      views.levels.map((level) => [level, findOperation(views.at(level), listed.operation.operationId)]),
    );
    const at = (level: number) => found.get(level);
    const rules = new Map(
      views.levels.map((level) => [level, new Set((at(level)?.["x-rules"] ?? []).map(({ id }) => id))]),
    );
    return {
      ...listed,
      present: rangesWhere(views.levels, (level) => at(level) !== undefined),
      head: headPieces(views, at),
      parameters: mergeLevels(views, (level) => {
        const operation = at(level);
        return operation === undefined ? [] : parameterRows(views.at(level), operation, level);
      }),
      responses: responseParts(views, at),
      ruleHoldsAt: (id, level) => rules.get(level)?.has(id) ?? false,
    };
  });
}

type OperationAt = (level: number) => OperationObject | undefined;

function findOperation(document: ContractDocument, operationId: string): OperationObject | undefined {
  return listOperations(document).find(({ operation }) => operation.operationId === operationId)?.operation;
}

function headPieces(views: LevelViews, at: OperationAt): LevelledPiece[] {
  return mergeLevels(views, (level) => {
    const operation = at(level);
    if (operation === undefined) return [];
    const { operationId, description, deprecated } = operation;
    const levels = featureLevelOf(operation);
    const flag =
      deprecated && levels?.deprecated === undefined ? html`<span class="level deprecated">deprecated</span>` : "";
    const content = html`<p class="names"><code>${operationId}</code> <code>${operation["x-feature"]}</code> ${flag}</p>${richText(description)}<p class="notes">${levelNotes(levels, level)}</p>`;
    return [{ key: "head", content }];
  });
}

function responseParts(views: LevelViews, at: OperationAt): ResponseParts[] {
  const statuses = [...new Set(views.levels.flatMap((level) => Object.keys(at(level)?.responses ?? {})))].sort();
  return statuses.map((status) => {
    const isError = !status.startsWith("2");
    const responseAt = (level: number) => {
      const given = at(level)?.responses[status];
      return given === undefined ? undefined : resolve<ResponseObject>(views.at(level), given);
    };
    const head = mergeLevels(views, (level) => {
      const response = responseAt(level);
      return response === undefined ? [] : [{ key: "head", content: responseHead(views.at(level), response) }];
    });
    const rows = mergeLevels(views, (level) => {
      const schema = Object.values(responseAt(level)?.content ?? {})[0]?.schema;
      if (schema === undefined) return [];
      return (isError ? errorRows : responseRows)(views.at(level), schema, level);
    });
    return { status, isError, head, rows };
  });
}

import { type ContractDocument, type OperationObject, resolve, type Schema } from "../../src/contract/rest/document.js";
import { levelOf } from "../../src/contract/rest/feature-level.js";
import { parameterSchema, parametersOf } from "../../src/contract/rest/operations.js";
import { describeBounds, describeType, listFields } from "../../src/docs/describe-schema.js";
import { breakable, richText } from "../../src/docs/fragment.js";
import { type Html, html } from "../../src/report/html/html.js";
import { levelNotes } from "../levels/level-notes.js";
import type { Piece } from "../levels/levelled.js";

/** The rows of the parameters of an operation: those of path, query and header, then the fields of the body. */
export function parameterRows(document: ContractDocument, operation: OperationObject, level: number): Piece[] {
  const parameters = parametersOf(document, operation).flatMap((parameter) => {
    const node = parameterSchema(parameter);
    const schema = resolve<Schema>(document, node);
    const own = {
      path: parameter.name,
      node: { ...node, ...(parameter.deprecated ? { deprecated: true } : {}) },
      place: parameter.content === undefined ? parameter.in : `${parameter.in}, as JSON`,
      required: parameter.required ?? false,
      description: parameter.description ?? schema.description,
      levels: levelOf(document, parameter) ?? levelOf(document, node),
    };
    return [own, ...listFields(document, node, parameter.name).map((field) => fromField(document, field, ""))];
  });
  const fields = Object.entries(operation.requestBody?.content ?? {}).flatMap(
    ([mediaType, { schema, encoding = {} }]) =>
      listFields(document, schema).map((field) => {
        const isJson = encoding[field.path]?.contentType === "application/json";
        const isNested = /[.[]/.test(field.path);
        const place = mediaType === "multipart/form-data" ? "multipart form" : "form";
        return fromField(document, field, isNested ? "" : isJson ? `${place}, as JSON` : place);
      }),
  );
  return [...parameters, ...fields].map((row) => ({ key: row.path, content: renderRow(document, row, level) }));
}

/** The rows of the fields of a success, or of the fields that an error has besides the common ones. */
export function responseRows(document: ContractDocument, node: Schema, level: number): Piece[] {
  return listFields(document, node).map((field) => ({
    key: field.path,
    content: renderRow(document, fromField(document, field, ""), level),
  }));
}

interface Row {
  readonly path: string;
  readonly node: Schema;
  readonly place: string;
  readonly required: boolean;
  readonly description: string | undefined;
  readonly levels: ReturnType<typeof levelOf>;
}

function fromField(document: ContractDocument, field: ReturnType<typeof listFields>[number], place: string): Row {
  const { path, node, schema, required } = field;
  const description = node.description ?? schema.description;
  return { path, node, place, required, description, levels: levelOf(document, node) };
}

function renderRow(document: ContractDocument, row: Row, level: number): Html {
  const { path, node, place, required, description, levels } = row;
  const isDeprecated = resolve<Schema>(document, node).deprecated === true || node.deprecated === true;
  const notes = levelNotes(levels, level);
  const flags = [
    ...(place === "" ? [] : [html`<span class="place">${place}</span>`]),
    ...(required ? [html`<span class="required">required</span>`] : []),
    ...(isDeprecated && levels?.deprecated === undefined
      ? [html`<span class="level deprecated">deprecated</span>`]
      : []),
  ];
  return html`<th scope="row"><code>${breakable(path)}</code></th><td><span class="type">${describeType(document, node)}</span> ${flags} ${describeBounds(document, node)}${richText(description)}${notes.length === 0 ? "" : html`<p class="notes">${notes}</p>`}</td>`;
}

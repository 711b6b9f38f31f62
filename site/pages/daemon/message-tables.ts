import { type DescEnum, type DescField, type DescMessage, getOption, hasOption, ScalarType } from "@bufbuild/protobuf";
import { secret } from "../../../generated/daemon/contract.js";
import { type Html, html } from "../../../src/report/html/html.js";
import { breakable, nothing, richText } from "../../html/fragment.js";
import { heading } from "../../html/section.js";

/** The comments of the contract, by the name of the declaration. */
export type Comments = ReadonlyMap<string, string>;

/** Renders messages and enumerations, each as a table of its fields or values. */
export function renderMessages(
  types: readonly (DescMessage | DescEnum)[],
  comments: Comments,
  tag: "h2" | "h3" = "h3",
): Html {
  return html`${types.map((type) => {
    const table = type.kind === "message" ? messageTable(type, comments) : enumTable(type, comments);
    return html`<section>${heading(tag, `message-${type.name}`, type.name)}${richText(comments.get(type.name))}${table}</section>`;
  })}`;
}

function messageTable(message: DescMessage, comments: Comments): Html {
  if (message.fields.length === 0) return html`<p>No fields.</p>`;
  const rows = message.fields.map((field) => {
    const isSecret = hasOption(field, secret) && getOption(field, secret);
    return html`<tr id="field-${message.name}.${field.name}"><th scope="row"><code>${breakable(field.name)}</code></th><td><span class="type">${typeOf(field)}</span> <span class="bound">number <code>${field.number}</code></span> <span class="bound">in JSON <code>${field.jsonName}</code></span>${isSecret ? html` <span class="required">secret</span>` : nothing}${richText(comments.get(`${message.name}.${field.name}`))}</td></tr>`;
  });
  return html`<table class="fields"><tbody>${rows}</tbody></table>`;
}

function enumTable(one: DescEnum, comments: Comments): Html {
  const rows = one.values.map(
    ({ name, number }) =>
      html`<tr id="field-${one.name}.${name}"><th scope="row"><code>${breakable(name)}</code></th><td><span class="bound">number <code>${number}</code></span>${richText(comments.get(`${one.name}.${name}`))}</td></tr>`,
  );
  return html`<table class="fields"><tbody>${rows}</tbody></table>`;
}

function typeOf(field: DescField): Html {
  switch (field.fieldKind) {
    case "scalar":
      return html`${scalarName(field.scalar)}`;
    case "enum":
      return linked(field.enum.name);
    case "message":
      return linked(field.message.name);
    case "list":
      return html`repeated ${elementOf(field)}`;
    case "map":
      return html`map`;
  }
}

function elementOf(field: DescField & { fieldKind: "list" }): Html {
  switch (field.listKind) {
    case "scalar":
      return html`${scalarName(field.scalar)}`;
    case "enum":
      return linked(field.enum.name);
    case "message":
      return linked(field.message.name);
  }
}

function linked(name: string): Html {
  return html`<a href="#message-${name}">${name}</a>`;
}

function scalarName(type: ScalarType): string {
  return ScalarType[type].toLowerCase();
}

/** The messages and enumerations in a message, starting with the message. */
export function reachableTypes(message: DescMessage): (DescMessage | DescEnum)[] {
  const found = new Set<DescMessage | DescEnum>();
  const visit = (type: DescMessage | DescEnum) => {
    if (found.has(type)) return;
    found.add(type);
    if (type.kind === "enum") return;
    for (const { message: inner, enum: values } of type.fields) {
      if (inner !== undefined) visit(inner);
      if (values !== undefined) visit(values);
    }
  };
  visit(message);
  return [...found];
}

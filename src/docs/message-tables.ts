import { type DescEnum, type DescEnumValue, type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { type Html, html } from "../report/html/html.js";
import { breakable, nothing, richText } from "./fragment.js";

/** What a page says of messages besides their descriptors. */
export interface MessageNotes {
  /** The comment of a declaration. Undefined if there is none. */
  readonly commentOf: (declared: DescMessage | DescEnum | DescField | DescEnumValue) => string | undefined;
  readonly isSecret: (field: DescField) => boolean;
  /** The id of a message or enumeration on the page. */
  readonly idOf: (type: DescMessage | DescEnum) => string;
  /** The heading, which has the id unless something around it has. */
  readonly heading: (type: DescMessage | DescEnum) => Html;
}

/** Renders messages and enumerations, each as a table of its fields or values. */
export function renderMessages(types: readonly (DescMessage | DescEnum)[], notes: MessageNotes): Html {
  return html`${types.map((type) => {
    const table = type.kind === "message" ? messageTable(type, notes) : enumTable(type, notes);
    return html`<section>${notes.heading(type)}${richText(notes.commentOf(type))}${table}</section>`;
  })}`;
}

function messageTable(message: DescMessage, notes: MessageNotes): Html {
  if (message.fields.length === 0) return html`<p>No fields.</p>`;
  const rows = message.fields.map((field) => {
    return html`<tr id="field-${message.name}.${field.name}"><th scope="row"><code>${breakable(field.name)}</code></th><td><span class="type">${typeOf(field, notes)}</span> <span class="bound">number <code>${field.number}</code></span> <span class="bound">in JSON <code>${field.jsonName}</code></span>${notes.isSecret(field) ? html` <span class="required">secret</span>` : nothing}${richText(notes.commentOf(field))}</td></tr>`;
  });
  return html`<table class="fields"><tbody>${rows}</tbody></table>`;
}

function enumTable(one: DescEnum, { commentOf }: MessageNotes): Html {
  const rows = one.values.map(
    (value) =>
      html`<tr id="field-${one.name}.${value.name}"><th scope="row"><code>${breakable(value.name)}</code></th><td><span class="bound">number <code>${value.number}</code></span>${richText(commentOf(value))}</td></tr>`,
  );
  return html`<table class="fields"><tbody>${rows}</tbody></table>`;
}

function typeOf(field: DescField, notes: MessageNotes): Html {
  switch (field.fieldKind) {
    case "scalar":
      return html`${scalarName(field.scalar)}`;
    case "enum":
      return linked(field.enum, notes);
    case "message":
      return linked(field.message, notes);
    case "list":
      return html`repeated ${elementOf(field, notes)}`;
    case "map":
      return html`map of ${field.mapKind === "scalar" ? scalarName(field.scalar) : linked(field.mapKind === "enum" ? field.enum : field.message, notes)}`;
  }
}

function elementOf(field: DescField & { fieldKind: "list" }, notes: MessageNotes): Html {
  switch (field.listKind) {
    case "scalar":
      return html`${scalarName(field.scalar)}`;
    case "enum":
      return linked(field.enum, notes);
    case "message":
      return linked(field.message, notes);
  }
}

function linked(type: DescMessage | DescEnum, { idOf }: MessageNotes): Html {
  return html`<a href="#${idOf(type)}">${type.name}</a>`;
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

import { Document, type DocumentOptions, Scalar, type ToStringOptions, visit } from "yaml";
import { escapeYaml, hasUnprintable, isCommand } from "./visible-text.js";

/** Keeps a text in double quotes on one line. */
const options: DocumentOptions & ToStringOptions = { lineWidth: 0, doubleQuotedMinMultiLineLength: 1_000_000_000 };

/**
 * Writes a value as YAML without aliases. Texts with control or invisible characters, and those that GitHub would take for commands, are in
 * double quotes, because YAML has escapes only there.
 */
export function yamlText(value: unknown): string {
  const document = new Document(value, { aliasDuplicateObjects: false });
  const text = document.toString(options);
  if (!hasUnprintable(text) && !isCommand(text)) return text;
  visit(document, {
    Scalar: (_, node) => {
      if (typeof node.value === "string" && (hasUnprintable(node.value) || isCommand(node.value)))
        node.type = Scalar.QUOTE_DOUBLE;
    },
  });
  return escapeYaml(document.toString(options)).replaceAll("##[", "\\x23#[");
}

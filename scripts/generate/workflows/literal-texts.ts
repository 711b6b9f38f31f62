import type { WorkflowInputs } from "../../../src/contract/chat/workflows.js";

/** Collects the texts of a workflow that Redocly would take for expressions. */
export interface LiteralTexts {
  /** Returns what a step writes to send a text as it is. `complain` gets a sentence about a text for which there is no such way. */
  readonly write: (text: string, complain: (problem: string) => void) => string;
  /** The inputs that hold the texts. Undefined if there are none. */
  readonly inputs: () => WorkflowInputs | undefined;
}

const expression = /\$steps\.[\w-]+\.outputs\.\w+|\$credentials\.[\w-]+\.\w+|^\$file\('[^']*'\)$/g;

/** Whether a value of a step contains an expression that workflows may use. Any other `$` is text. */
export function hasExpression(text: string): boolean {
  return text.search(expression) !== -1;
}

/**
 * Creates a collector. Redocly evaluates `$statusCode` and the like wherever they stand in a value, but leaves the values of inputs alone,
 * so such a text becomes an input with a default.
 */
export function createLiteralTexts(): LiteralTexts {
  const names = new Map<string, string>();
  return {
    write: (text, complain) => {
      const rest = text.replace(expression, "");
      const [unfinished] = /\$(?:steps|credentials|file)\b[\w.-]*/.exec(rest) ?? [];
      if (unfinished !== undefined) {
        complain(
          `\`${unfinished}\` is no expression: write \`$steps.<id>.outputs.<name>\`, \`$credentials.<caller>.<field>\` or \`$file('<path>')\``,
        );
      }
      const [literal] = /\$[a-z{][\w.]*/i.exec(rest) ?? [];
      if (unfinished !== undefined || !text.includes("$")) return text;
      if (rest === text) {
        const name = names.get(text) ?? `text_${names.size + 1}`;
        names.set(text, name);
        return `$inputs.${name}`;
      }
      if (literal !== undefined) {
        complain(
          `\`${literal}\` stands beside an expression, so Redocly would evaluate it too: send it in another text`,
        );
      }
      return text;
    },
    inputs: () => {
      if (names.size === 0) return undefined;
      const properties = [...names].map(([text, name]) => [name, { type: "string", default: text }] as const);
      return { type: "object", properties: Object.fromEntries(properties) };
    },
  };
}

import { readFileSync } from "node:fs";
import type { ErrorObject } from "ajv";
import { CORE_SCHEMA, load, mergeTag } from "js-yaml";
import { type Document, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument } from "yaml";
import { pointerKeys } from "./json-pointer.js";
import { nearestNames } from "./nearest-names.js";

/** A problem, in the form `file:line: text` or `file:line:column: text`. */
export type Problem = string;

/** The keys and list positions that lead to a value. */
export type Path = readonly (string | number)[];

/** A hand-written YAML file with the lines of its values. */
export interface YamlSource {
  /** Undefined if the file is not valid YAML. */
  readonly content: unknown;
  /** Syntax errors. */
  readonly problems: readonly Problem[];
  /** Returns the line of the value at a path, or of the nearest enclosing value. */
  readonly lineOf: (path: Path) => number;
  /** Like `lineOf`, as `line:column`. Both count from 1. */
  readonly placeOf: (path: Path) => string;
  /** Creates a problem about the value at a path. */
  readonly problem: (path: Path, text: string) => Problem;
}

/** YAML 1.2 with the merge keys (`<<`) of YAML 1.1, which most tools for OpenAPI read. */
const yamlSchema = CORE_SCHEMA.withTags(mergeTag);

/** Parses YAML. Throws a `YAMLException` if the text is not valid YAML. */
export function parseYaml(text: string): unknown {
  return load(text, { schema: yamlSchema });
}

/** Reads a YAML file. `name` is its path in problems, relative to the project root. */
export function readYamlSource(file: string, name: string): YamlSource {
  const text = readFileSync(file, "utf8");
  // The parser that tracks lines takes several times as long, and most files need none.
  let parsed: { readonly document: Document; readonly lines: LineCounter } | undefined;
  const withLines = () => {
    const lines = new LineCounter();
    parsed ??= { document: parseDocument(text, { lineCounter: lines, prettyErrors: false, merge: true }), lines };
    return parsed;
  };
  const positionOf = (path: Path) => {
    const { document, lines } = withLines();
    for (let length = path.length; length > 0; length--) {
      const key = path[length - 1];
      const parent = document.getIn(path.slice(0, length - 1), true);
      const node = isMap(parent)
        ? parent.items.map((pair) => pair.key).find((one) => isScalar(one) && one.value === key)
        : isSeq(parent) && parent.items[Number(key)];
      if (isNode(node) && node.range) return lines.linePos(node.range[0]);
    }
    return { line: 1, col: 1 };
  };
  const lineOf = (path: Path) => positionOf(path).line;
  return {
    ...readContent(text, () => {
      const { document, lines } = withLines();
      const problems = document.errors.map(({ pos, message }) => {
        const { line, col } = lines.linePos(pos[0]);
        return `${name}:${line}:${col}: ${message}`;
      });
      return { content: problems.length === 0 ? document.toJS() : undefined, problems };
    }),
    lineOf,
    placeOf: (path) => {
      const { line, col } = positionOf(path);
      return `${line}:${col}`;
    },
    problem: (path, text) => `${name}:${lineOf(path)}: ${text}`,
  };
}

/** Reads the values of a text. Asks the parser that tracks lines if the faster one cannot: an empty file is null. */
function readContent(
  text: string,
  readWithLines: () => Pick<YamlSource, "content" | "problems">,
): Pick<YamlSource, "content" | "problems"> {
  try {
    return { content: parseYaml(text), problems: [] };
  } catch {
    return readWithLines();
  }
}

/** Returns the path of an Ajv error. */
export function pathOf({ instancePath }: Pick<ErrorObject, "instancePath">): (string | number)[] {
  return pointerKeys(instancePath).map((key) => (/^\d+$/.test(key) ? Number(key) : key));
}

/** Suggests the most similar known name, or lists all of them if none is similar. */
export function didYouMean(name: string, known: readonly string[]): string {
  if (known.length === 0) return "there are none";
  const [nearest] = nearestNames(name, known);
  return nearest === undefined ? `use one of ${known.join(", ")}` : `did you mean \`${nearest}\`?`;
}

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ErrorObject } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { type Document, isNode, LineCounter, parseDocument } from "yaml";
import type { DaemonCase, DaemonRule } from "../../src/contract/daemon/cases.js";

/** The folder that holds the case files and their schema. */
export const casesFolder = fileURLToPath(new URL("../../proto/cases", import.meta.url));

/** What is wrong, as `file:line: what`. */
export type Problem = string;

/** One file of cases that fits the schema. */
export interface CaseFile {
  readonly rules: readonly DaemonRule[];
  readonly cases: readonly DaemonCase[];
  /** Makes a problem of a text about the value at a path in this file, such as `["cases", 2, "request"]`. */
  readonly problem: (path: readonly (string | number)[], text: string) => Problem;
}

/** Reads `*.yaml` in a folder, in the order of their names. Files that do not fit the schema are left out and give problems. */
export function readCaseFiles(folder: string): { files: CaseFile[]; problems: Problem[] } {
  const ajv = new Ajv2020({ allErrors: true, discriminator: true, strictTypes: false });
  const validate = ajv.compile<Pick<CaseFile, "rules" | "cases">>(
    JSON.parse(readFileSync(join(casesFolder, "cases.schema.json"), "utf8")),
  );
  const files: CaseFile[] = [];
  const problems: Problem[] = [];
  for (const name of readdirSync(folder).sort()) {
    if (!name.endsWith(".yaml")) continue;
    const lines = new LineCounter();
    const document = parseDocument(readFileSync(join(folder, name), "utf8"), {
      lineCounter: lines,
      prettyErrors: false,
    });
    const problem = (path: readonly (string | number)[], text: string) =>
      `proto/cases/${name}:${lineOf(document, lines, path)}: ${subject(document, path)}${text}`;
    const broken = document.errors.map(
      (error) => `proto/cases/${name}:${lines.linePos(error.pos[0]).line}: ${error.message}`,
    );
    const content: unknown = broken.length > 0 ? undefined : document.toJS();
    if (broken.length > 0) problems.push(...broken);
    else if (validate(content)) files.push({ ...content, problem });
    else problems.push(...explain(validate.errors ?? []).map(({ path, text }) => problem(path, text)));
  }
  return { files, problems };
}

function lineOf(document: Document, lines: LineCounter, path: readonly (string | number)[]): number {
  for (let length = path.length; length > 0; length--) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return 1;
}

/** Names the case or rule that the path leads into. */
function subject(document: Document, [list, index]: readonly (string | number)[]): string {
  if (index === undefined) return "";
  const name = document.getIn([list, index, list === "cases" ? "name" : "id"]);
  return `${list === "cases" ? "case" : "rule"} ${typeof name === "string" ? name : `number ${Number(index) + 1}`}: `;
}

function explain(errors: readonly ErrorObject[]): { path: (string | number)[]; text: string }[] {
  // The branches of "reply or error" say less than the sentence for the whole.
  const telling = errors.filter(
    ({ schemaPath }) => !schemaPath.includes("/case/oneOf/") && !schemaPath.includes("/items/oneOf/"),
  );
  return telling.map((error) => {
    const path = error.instancePath
      .split("/")
      .slice(1)
      .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
    const place = path.slice(2).join(".");
    return { path, text: `${place === "" ? "" : `${place} `}${sentence(error)}` };
  });
}

function sentence({ keyword, params, message = "is wrong" }: ErrorObject): string {
  switch (keyword) {
    case "additionalProperties":
      return `has an unknown key ${String(params.additionalProperty)}`;
    case "oneOf":
      return "needs either a reply or an error; exact and open stand beside a reply only";
    case "enum":
      return `must be one of ${String(params.allowedValues).replaceAll(",", ", ")}`;
    default:
      return message;
  }
}

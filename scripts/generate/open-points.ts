import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Problem, pathOf, readYamlSource } from "../../src/contract/yaml-source.js";
import { createAjv } from "../../src/schema/create-ajv.js";
import { describeProblem } from "../../src/schema/describe-error.js";

/** A point that the requirements leave open and for which no rule makes a recommendation. */
export interface OpenPoint {
  readonly point: string;
  /** Where the requirements leave it open. */
  readonly source: string;
  /** The choice of the reference implementation. */
  readonly choice: string;
  /** The reason why no check can show the choice. */
  readonly unchecked?: string;
}

/** The open points about one topic. */
export interface OpenTopic {
  readonly topic: string;
  readonly points: readonly OpenPoint[];
}

const files = { chat: "openapi/open-points.yaml", daemon: "proto/open-points.yaml" } as const;

/** Reads the open points of a contract. `topics` is empty if there are problems. */
export function readOpenPoints(contract: keyof typeof files): { topics: readonly OpenTopic[]; problems: Problem[] } {
  const source = readYamlSource(pathTo(files[contract]), files[contract]);
  if (source.problems.length > 0) return { topics: [], problems: [...source.problems] };
  const schema = JSON.parse(readFileSync(pathTo("openapi/open-points.schema.json"), "utf8"));
  const validate = createAjv({ allErrors: true }).compile<readonly OpenTopic[]>(schema);
  const { content } = source;
  if (validate(content)) return { topics: content, problems: [] };
  const problems = (validate.errors ?? []).map((error) => source.problem(pathOf(error), describeProblem(error)));
  return { topics: [], problems };
}

/** Describes each open point that a recommendation or another open point also names. */
export function repeatedPoints(topics: readonly OpenTopic[], gaps: readonly string[]): Problem[] {
  const seen = new Set<string>();
  const all = [...gaps, ...topics.flatMap(({ points }) => points.map(({ point }) => point))];
  return all.flatMap((point) => {
    if (!seen.has(point)) {
      seen.add(point);
      return [];
    }
    return [`The open point "${point}" occurs twice. Keep the recommendation, or merge the two.`];
  });
}

function pathTo(file: string): string {
  return fileURLToPath(new URL(`../../${file}`, import.meta.url));
}

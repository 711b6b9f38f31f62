/** The version that a document states, and the line of it. */
export interface DocumentVersion {
  readonly key: "openapi" | "swagger";
  readonly version: string;
  /** Counts from 1. */
  readonly line: number;
}

const statement = /(?:^|[{,])([ \t]*)["']?(openapi|swagger)["']?[ \t]*:[ \t]*["']?(\d+\.\d+[\w.-]*)/gm;

/** Finds the version of an OpenAPI document in its YAML or JSON, without reading all of it. Undefined if the text is something else. */
export function findVersion(text: string): DocumentVersion | undefined {
  // An example inside a document may state a version, too, but is indented further.
  const [found] = [...text.matchAll(statement)].sort((a, b) => (a[1] ?? "").length - (b[1] ?? "").length);
  if (found === undefined) return undefined;
  const [, , key, version = ""] = found;
  return {
    key: key === "swagger" ? "swagger" : "openapi",
    version,
    line: text.slice(0, found.index).split("\n").length,
  };
}

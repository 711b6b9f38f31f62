import MiniSearch, { type Options } from "minisearch";
import type { LevelRange } from "../levels/level-ranges.js";

/** A document of the search. */
export interface SearchDocument {
  readonly kind:
    | "operation"
    | "parameter"
    | "field"
    | "rule"
    | "case"
    | "workflow"
    | "code"
    | "state"
    | "RPC"
    | "probe"
    | "guide";
  /** A name or a heading. */
  readonly title: string;
  /** The title of its operation or guide. */
  readonly place: string;
  readonly text: string;
  /** Its address, relative to the root of the site. */
  readonly href: string;
  /** Its levels. Undefined for all. */
  readonly levels?: readonly LevelRange[];
}

/** A document that was found. */
export type FoundDocument = Pick<SearchDocument, "kind" | "title" | "place" | "href" | "levels">;

const options: Options<SearchDocument & { readonly id: number }> = {
  fields: ["title", "place", "text"],
  storeFields: ["kind", "title", "place", "href", "levels"],
  // Indexes names as a whole and by their words: `messages.edit.content`, `stream_id`, `editMessage`.
  tokenize: (text) => {
    const words = text.split(/[^\p{L}\p{N}]+/u);
    const parts = words.flatMap((word) => word.split(/(?<=\p{Ll})(?=\p{Lu})/u));
    return [...new Set([...text.split(/[\s,;:()"'`]+/), ...words, ...parts])].filter((word) => word !== "");
  },
  searchOptions: {
    boost: { title: 4, place: 1.5 },
    boostDocument: (_id, _term, stored) => weights[(stored as FoundDocument | undefined)?.kind ?? "guide"],
    prefix: true,
    fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    combineWith: "AND",
  },
};

/** The weight of each kind: names that readers look up rank above texts that explain them. */
const weights: Readonly<Record<SearchDocument["kind"], number>> = {
  operation: 3,
  RPC: 3,
  code: 2.5,
  rule: 1.6,
  parameter: 1.6,
  field: 1.3,
  state: 1.3,
  guide: 1.2,
  probe: 1,
  workflow: 0.8,
  case: 0.7,
};

/** The index of documents as JSON. */
export function writeSearchIndex(documents: readonly SearchDocument[]): string {
  const index = new MiniSearch(options);
  index.addAll(documents.map((document, id) => ({ ...document, id })));
  return JSON.stringify(index);
}

/** Loads an index that `writeSearchIndex` wrote. The returned function lists the best matches first. */
export async function readSearchIndex(json: string): Promise<(query: string) => FoundDocument[]> {
  const index = await MiniSearch.loadJSONAsync(json, options);
  return (query) => index.search(query) as unknown as FoundDocument[];
}

import MiniSearch, { type Options } from "minisearch";
import type { LevelRange } from "../levels/level-ranges.js";

/** Something that the search finds. */
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
  /** What it belongs to, such as the title of an operation or guide. */
  readonly place: string;
  readonly text: string;
  /** Its place, from the root of the site. */
  readonly href: string;
  /** The levels that have it. Undefined if all do. */
  readonly levels?: readonly LevelRange[];
}

/** A document that was found. */
export type FoundDocument = Pick<SearchDocument, "kind" | "title" | "place" | "href" | "levels">;

const options: Options<SearchDocument & { readonly id: number }> = {
  fields: ["title", "place", "text"],
  storeFields: ["kind", "title", "place", "href", "levels"],
  // Names are found as a whole and by their words: `messages.edit.content`, `stream_id`, `editMessage`.
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

/** What a reader looks for comes before what explains it. */
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

/** A search in an index that `writeSearchIndex` wrote. Returns the best matches first. */
export async function readSearchIndex(json: string): Promise<(query: string) => FoundDocument[]> {
  const index = await MiniSearch.loadJSONAsync(json, options);
  return (query) => index.search(query) as unknown as FoundDocument[];
}

/** The part of Redocly's plugin interface that our plugin uses; the CLI does not publish its types. */
export interface VisitorContext {
  readonly report: (problem: { message: string; location?: Location }) => void;
  readonly location: Location;
  readonly key: string | number;
  /** Follows a reference, which is relative to the file being visited, or to `from`. */
  readonly resolve: <T>(node: T | { $ref: string }, from?: string) => { node?: T; location?: Location };
}

/** A place in a file. */
export interface Location {
  readonly source: { readonly absoluteRef: string };
  /** A JSON pointer into the file, beginning with `#/`. */
  readonly pointer: string;
  readonly child: (keys: (string | number)[]) => Location;
  readonly key: () => Location;
}

/** A function for each kind of node, named as Redocly names them, called with the node. */
export type Visitor = Record<string, unknown>;

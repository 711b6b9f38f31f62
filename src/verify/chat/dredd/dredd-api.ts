import type { EventEmitter } from "node:events";

/** The part of a Dredd transaction that the hooks read or change. Source: Dredd 14, docs/data-structures.rst. */
export interface DreddTransaction {
  /** The text that Dredd prints for the transaction. */
  id: string;
  /** `<path key> > <summary> > <status> > <media type>`. */
  readonly name: string;
  fullPath: string;
  request: { readonly method: string; headers: Record<string, string>; body?: string | Buffer };
  expected: { statusCode?: string | number; headers: Record<string, string>; body?: string; bodySchema?: string };
  /** Omitted if there was no response. */
  real?: {
    readonly statusCode: number;
    readonly headers: Readonly<Record<string, string | string[]>>;
    body?: string;
    readonly bodyEncoding?: "utf-8" | "base64";
  };
  skip?: boolean;
  /** True, or the reason. */
  fail?: boolean | string;
  /** The result of the comparison. */
  readonly results?: {
    readonly valid?: boolean;
    readonly fields?: Readonly<Record<string, { readonly errors?: readonly { readonly message: string }[] }>>;
  };
  readonly test?: { readonly valid?: boolean; message: string };
}

/** The Dredd options that matter to the hooks. */
export interface DreddConfiguration {
  readonly endpoint: string;
  /** The names of the transactions to run; empty for all. */
  readonly only: readonly string[];
  /** Methods in upper case; empty for all. */
  readonly method: readonly string[];
  readonly names: boolean;
  readonly "dry-run": boolean | null;
}

/** The object that Dredd passes to a hook file. */
export interface DreddHooks {
  readonly configuration: DreddConfiguration;
  readonly beforeAll: (hook: (transactions: DreddTransaction[], done: () => void) => void) => void;
  readonly beforeEach: (hook: TransactionHook) => void;
  readonly beforeEachValidation: (hook: TransactionHook) => void;
  readonly afterEach: (hook: TransactionHook) => void;
}

type TransactionHook = (transaction: DreddTransaction, done: () => void) => void;

/** The class that the package `dredd` exports. Source: Dredd 14, docs/usage-js.rst. */
export type DreddClass = new (configuration: {
  readonly endpoint: string;
  readonly path: readonly string[];
  readonly apiDescriptions: readonly { readonly location: string; readonly content: string }[];
  readonly hookfiles: readonly string[];
  readonly emitter: EventEmitter;
  readonly loglevel: string;
  readonly reporter: readonly string[];
}) => { readonly run: (done: (error: Error | null | undefined) => void) => void };

/** The part of a Dredd transaction that the hooks read or change. Source: Dredd 14, docs/data-structures.rst. */
export interface DreddTransaction {
  /** The text that Dredd prints for the transaction. */
  id: string;
  /** `<path> > <summary> > <status> > <media type>`. */
  readonly name: string;
  /** The path of the endpoint and `request.uri`, which Dredd sends. */
  fullPath: string;
  request: {
    readonly method: string;
    /** The path and query that Dredd prints. */
    uri: string;
    headers: Readonly<Record<string, string>>;
    body?: string | Buffer;
  };
  expected: ExpectedMessage;
  /** Omitted if there was no response. */
  real?: {
    readonly statusCode: number;
    headers: Readonly<Record<string, string | string[]>>;
    body?: string;
  };
  skip?: boolean;
  /** The reason. */
  fail?: string;
  /** The result of the comparison. Omitted if there was none. */
  readonly test?: { readonly valid?: boolean; message: string };
}

/** The response that Dredd compares with the real one. */
export interface ExpectedMessage {
  statusCode?: string;
  headers: Record<string, string>;
  /** The text of a JSON Schema. */
  bodySchema?: string;
}

/** The Dredd options that matter to the hooks. */
export interface DreddConfiguration {
  readonly apiDescriptions: readonly { readonly content: string }[];
  readonly custom: { readonly states?: string };
  /** The names of the transactions to run; empty for all. */
  readonly only: readonly string[];
  /** Methods in upper case; empty for all. */
  readonly method: readonly string[];
  readonly names: boolean;
  readonly "dry-run": boolean | null;
  /** Whether Dredd also prints the messages of transactions that pass. */
  readonly details: boolean;
}

/** The object that Dredd passes to a hook file. */
export interface DreddHooks {
  readonly configuration: DreddConfiguration;
  readonly beforeEach: (hook: TransactionHook) => void;
  readonly beforeEachValidation: (hook: TransactionHook) => void;
  readonly afterEach: (hook: TransactionHook) => void;
}

type TransactionHook = (transaction: DreddTransaction, done: () => void) => void;

import type { Matcher } from "./matcher.js";
import type { ServedHost } from "./served-host.js";

/** Something that can be run against a server: steps in order, and the rules that they show. */
export interface Check {
  /** Unique and stable, such as `case editMessage/content_with_channel`. */
  readonly id: string;
  readonly kind: "case" | "workflow" | "probe";
  /** The operation that it is about; for a workflow, its resource. */
  readonly operation: string;
  /** What it does, in a phrase. */
  readonly summary: string;
  /** The rules that it shows. Those that no step names are broken if any step fails. */
  readonly rules: readonly string[];
  /** The recommendations that it relies on. */
  readonly reliesOn?: readonly string[];
  /** Whether a server of a newer feature level than the contract may do otherwise, so that the check shows nothing on it. */
  readonly knownLevelsOnly?: true;
  /** The least depth of a run that has it, if it was derived from the document and nobody wrote it. */
  readonly derived?: Depth;
  /** Whether a real organization can bear it: its last steps undo what it writes, or no user sees it. */
  readonly leavesNothing?: true;
  /** The ids of its calls that remove what earlier ones created. They are also made if one before them ends the check. */
  readonly removals?: readonly string[];
  readonly steps: readonly Step[];
  /**
   * Whether it uses the organization of an earlier check from the same states, as long as no request may have changed that. A failure counts
   * only if the check fails in an organization of its own, too.
   */
  readonly shares?: true;
  /** Steps that succeed on a correct server whatever this check is about. If they fail, a failure of the check shows nothing. */
  readonly control?: readonly Step[];
}

/** How much a run tries of what follows from a document: the most basic rules, all, or all with further values. */
export const depths = ["quick", "normal", "thorough"] as const;
export type Depth = (typeof depths)[number];

/** A step of a check. */
export type Step = StateStep | ServeStep | CallStep | ParallelStep;

/** A provider state that is set up. The first one creates the organization of the check. */
export interface StateStep {
  readonly kind: "state";
  /** By this name, later steps refer to its values: `$<id>.<value>`. */
  readonly id: string;
  readonly state: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Whether it makes an organization of its own. */
  readonly fresh?: true;
  /** The state whose organization it adds to. Defaults to the first of the check. */
  readonly within?: string;
  /** Whether the check shows nothing if `expect` is not met. */
  readonly precondition?: true;
  /** The values that later steps use. */
  readonly values: readonly string[];
  /** What stands for values that the server may leave out. */
  readonly defaults?: Readonly<Record<string, unknown>>;
  /** Other names of values, within the check. */
  readonly rename?: Readonly<Record<string, string>>;
  readonly rules?: readonly string[];
  /** What the returned values must be, by JSON pointers. */
  readonly expect?: Readonly<Record<string, Matcher>>;
}

/**
 * A host of the run that the server fetches from. Later steps refer to its address as `$<id>.address`, to the requests that it got since the
 * last call as `$<id>.requests`, and to the number of all of them as `$<id>.count`.
 */
export interface ServeStep {
  readonly kind: "serve";
  readonly id: string;
  readonly host: ServedHost;
  readonly rules?: readonly string[];
}

/** Who sends a request: a caller of the provider states, `nobody` (no credentials), `stranger` (unknown ones), or other credentials. */
export type Caller = string | Readonly<Record<string, string>>;

/** A call of an operation, or of any URL of the server. */
export interface CallStep {
  readonly kind: "call";
  /** The name in reports, by which later steps refer to its outputs: `$<id>.<output>`. */
  readonly id: string;
  readonly as: Caller;
  /** The names of the schemes that carry the credentials, if not those of an alternative that the caller has credentials for. */
  readonly login?: readonly string[];
  /** The operation; undefined for a request to a `url`. */
  readonly call?: string;
  /** Parameters by name. The contract says where each is sent, and how. A value is data, whatever keys it has. */
  readonly with: Readonly<Record<string, unknown>>;
  /** The parameters that are not sent as the contract says. */
  readonly written?: Readonly<Record<string, Written>>;
  /** The parameters whose values are guesses. A value that the server is known to have takes the place of each that is still in `with`. */
  readonly guesses?: Readonly<Record<string, Guess>>;
  /** How the request differs from what the contract says. */
  readonly sent?: SentAs;
  /** Headers by name, or the name of an object with them. */
  readonly headers?: Readonly<Record<string, unknown>> | string;
  /** A request that no operation describes. */
  readonly request?: RequestTo;
  /** How a call of an RPC departs from its request. */
  readonly form?: CallForm;
  /** The rules that the server breaks if it does not respond. Defaults to those of the operation. */
  readonly unanswered?: readonly string[];
  /** Statements about the response. All that name rules are judged, and before the others, which are about the step. */
  readonly expect: readonly Expectation[];
  readonly rules?: readonly string[];
  /**
   * Whether the check shows nothing if this step fails, if its status is another, or if the server refuses it as the contract allows;
   * `because` says so in words, followed by how it fails if `saysHow`.
   */
  readonly precondition?: true | "status" | "accepted" | { readonly because: string; readonly saysHow?: true };
  /** Values of the response by name. */
  readonly outputs?: Readonly<Record<string, Output>>;
  /** How many seconds a read has to become as expected, because a server may carry out what it accepted later. Defaults to none. */
  readonly within?: number;
  /** Only in a read before or after a refused request. The latter names the former in `since`: both must read the same. */
  readonly readBack?: ReadBackOf;
}

/** How a call of an RPC departs from its request. */
export interface CallForm {
  /** Whether it also has a field that the contract lacks. */
  readonly extended?: boolean;
  /** Cancels the call, whose response is then the error `canceled`. */
  readonly cancel?: AbortSignal;
  /** The account that makes the call, if it is not the first of the run. */
  readonly as?: "other";
}

/** A made-up value, which the server may not have. */
export interface Guess {
  readonly value: unknown;
  /** Whether it is made up from the schema. Otherwise, the document names it. */
  readonly isMadeUp: boolean;
}

/**
 * How a parameter is sent: its value is encoded already, or not even to be percent-encoded in a path (`verbatim`); it is sent twice, in the
 * query string, or not at all.
 */
export type Written = "text" | "verbatim" | "twice" | "query" | "omitted";

/** A request in another form than that of its operation. */
export interface SentAs {
  readonly method?: string;
  /** The media type of the body. */
  readonly type?: string;
  readonly multipart?: true;
  /** Replaces the fields of the body. */
  readonly body?: string;
}

/** Several calls at the same time. */
export interface ParallelStep {
  readonly kind: "parallel";
  readonly id: string;
  readonly steps: readonly CallStep[];
  readonly rules?: readonly string[];
  readonly precondition?: CallStep["precondition"];
}

/** A request to a URL of the server, which may be an output of an earlier step. */
export interface RequestTo {
  readonly method: string;
  readonly url: string;
  readonly body?: Bytes;
}

/** Bytes: each value once, in either order; one character again and again; or a text. */
export type Bytes =
  | "every-byte"
  | "every-byte-reversed"
  | { readonly fill: string; readonly length: number }
  | { readonly text: string };

/**
 * A JSON pointer into the body, empty for all of it, or `header <name>`; several of which the first with a value counts. `header Location` is
 * an absolute URL.
 */
export type Output =
  | string
  | {
      readonly at: string | readonly string[];
      /** Whether the check ends, without the rules of later steps, if there is no value. */
      readonly optional?: true;
      /** Whether it is the last segment of the path of a URL, decoded. */
      readonly segment?: true;
      /** The relation of the link that it is, in a `Link` header. */
      readonly rel?: string;
      /** The value if there is none. */
      readonly otherwise?: unknown;
    };

/** The read before, and what may differ. */
export interface ReadBackOf {
  readonly since?: string;
  /** A JSON pointer to a list. */
  readonly compare: string;
  /** Fields of its entries that may change by themselves. */
  readonly except: readonly string[];
}

/** A statement about a response: what it must be, or must hold to show something. */
export interface Expectation extends Expected {
  /** The rules that it breaks or shows. Defaults to those of its step. */
  readonly rules?: readonly string[];
  /** The statuses that it is about. Defaults to all. */
  readonly on?: Matcher;
  /** What the response must hold to show the rules; if it does not, it neither shows nor breaks them. `otherwise` says so in words. */
  readonly shownBy?: readonly (Expected & { readonly otherwise: string })[];
  /** Whether a response that has an excuse, such as that the server refuses every call, does not break the rules. */
  readonly excusable?: true;
  /** A remark for reports. */
  readonly note?: string;
}

/** What a response must be. A wrong status makes the rest moot. */
export interface Expected {
  /** `4XX` is any refusal; `2XX` any success. Defaults to any status that the contract allows. */
  readonly status?: number | "4XX" | "2XX" | Matcher;
  /** The rule that only recommends the status: any refusal passes, but another one, or one from 500, is a deviation. */
  readonly recommendedBy?: string;
  /** Statuses with which a response is not compared with the contract, and which pass for an expected one; `any` only the former. */
  readonly open?: readonly number[] | "any";
  /** Values of which the response must not contain any text, unless the request has it. */
  readonly hides?: readonly string[];
  /** Values by JSON pointers into the body, or by expressions such as `$host.requests`. */
  readonly body?: Readonly<Record<string, Matcher>>;
  readonly headers?: Readonly<Record<string, Matcher>>;
  readonly bytes?: Bytes;
}

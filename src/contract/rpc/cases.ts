import type { JsonObject } from "@bufbuild/protobuf";
import type { Depth } from "../check.js";
import type { Matcher } from "../matcher.js";
import type { StatesCatalogue } from "../rest/states.js";
import type { ServedHost } from "../served-host.js";
import type { StrengthOfRule } from "../strength.js";

/** One statement of the requirements, or a recommendation where they are silent, that a server or a client can keep or break. */
export interface RpcRule extends StrengthOfRule {
  readonly id: string;
  /** Who keeps or breaks the rule. Defaults to the server. */
  readonly party?: "client";
  readonly text: string;
  /** Where the requirements state it, such as `Endpoints, rule 1`. */
  readonly source?: string;
  /** The evidence that shows the rule. If undefined, the responses to the cases that name it. */
  readonly shown?: Evidence;
  /**
   * What values of every reply of the RPC must be, by JSON pointer; for a recommendation, only in cases that name it. `$response.<field>` is
   * another value of the reply.
   */
  readonly expect?: Readonly<Record<string, Matcher>>;
  /** The responses that break the rule, whichever case gets them. */
  readonly broken?: Breach;
  /** The layer of the protocol that the rule is about: that RPCs exist, or how messages travel. If undefined, what an RPC does. */
  readonly layer?: "service" | "wire";
  /** The RPC that the rule is about. Undefined if it is about several. */
  readonly rpc?: string;
  /** The reason why no call can test the rule. Undefined if a case checks it. */
  readonly untestable?: string;
}

/**
 * The kind of response that shows a rule: one in which the server could have broken it. `proto/cases/README.md` explains each kind. Pointers
 * lead into the reply; `*` matches any element or field.
 */
export type Evidence =
  | { readonly by: "case" | "reply" | "response" | "fetch" }
  /** What a check in code finds. */
  | { readonly by: "check" }
  | { readonly by: "value" | "echo"; readonly at: readonly string[] }
  /** A value of an enumeration or a field of a message, such as `NetworkType.Trojan`. */
  | { readonly by: "descriptor"; readonly symbol: string };

/** Responses that break a rule. Pointers point to a field of the reply. */
export interface Breach {
  /** The rule is broken if the server says that it does not implement an RPC of this service. */
  readonly unimplemented?: string;
  /** Whether a response outside the RPC protocol breaks the rule. */
  readonly malformed?: true;
  /** The field, or several, whose value must be that of the case, if the case fixes it. */
  readonly wrong?: string | readonly string[];
  /**
   * The field that must not be at another number. The rule is broken if a reply lacks the field and has an unknown field of the same wire
   * type.
   */
  readonly misplaced?: string;
}

/**
 * Request fields that take their value from the reply of an earlier call, such as `{id: "import.id"}`, or a word of their own
 * (`{book.title: "unique.word"}`).
 */
export type Binding = Readonly<Record<string, string>>;

/** A step before the call of a case. */
export type GivenStep = { readonly id: string; readonly serve: ServedHost } | GivenState | EarlierCall;

/** A provider state that is set up before the call of a case. */
export interface GivenState {
  /** By this name, later steps refer to its values. */
  readonly id: string;
  readonly state: string;
  readonly params?: Record<string, unknown>;
}

/** A call that precedes that of a case. */
export interface EarlierCall {
  readonly id: string;
  readonly call: string;
  /** ProtoJSON, in which `$import.id` is a value of an earlier reply. */
  readonly with: JsonObject;
  /** What the server should do: the status (defaults to `ok`), and values of the reply by JSON pointer. If it does not, the case is skipped. */
  readonly expect?: { readonly status?: Matcher; readonly [pointer: `/${string}`]: Matcher };
  /** Who calls, if it is not the account of the run: the one of `--account other=…`. */
  readonly as?: "other";
  /** The call overlaps with that of the case: it is sent right before it, and again right after it, without waiting for a response. */
  readonly overlaps?: true;
}

/** A call and its expected outcome. `proto/README.md` explains each key. */
export interface RpcCase {
  readonly name: string;
  readonly summary: string;
  readonly rule: string;
  readonly also?: readonly string[];
  readonly rpc: string;
  readonly given?: readonly GivenStep[];
  readonly bind?: Binding;
  /** ProtoJSON. */
  readonly request: JsonObject;
  /** ProtoJSON. A case has either a reply or an error. */
  readonly reply?: JsonObject;
  /** JSON pointers to the values of the reply that the contract fixes; `*` matches any element. */
  readonly exact?: readonly string[];
  /** What values of the reply must be, by JSON pointer. `$host.requests` are the requests that the host got because of the call. */
  readonly expect?: Readonly<Record<string, Matcher>>;
  /** The reason why the contract does not require the call to succeed, or fixes neither that it fails nor with which code. */
  readonly open?: string;
  /** The error: its code, which the contract fixes unless it is `any` or the case is `open`, and the message of the mock. */
  readonly error?: { readonly code: string; readonly message: string };
  /** Who calls, if it is not the account of the run: the one of `--account other=…`. */
  readonly as?: "other";
  /** How many seconds the reply has to become as expected, because a server may show later what it was told. Defaults to none. */
  readonly within?: number;
  /** Who wrote none: it was derived from the messages. Of the response to a probe, the contract says no more than the protocol. */
  readonly derived?: { readonly kind: "probe" | "workflow"; readonly depth: Depth };
}

/**
 * The RPCs that a run calls besides the cases: `reach` with an empty request, to find out whether the server responds; `fetch` as its first
 * case with a host and a reply does, to find out whether the server fetches; `refusal` with an empty request. A server that refuses the last
 * two refuses every call.
 */
export type RpcProbes = Readonly<Partial<Record<"reach" | "fetch" | "refusal", string>>>;

/** The content of the folder `cases` of a contract. */
export interface RpcCases {
  /** The rules of servers. */
  readonly rules: readonly RpcRule[];
  readonly clientRules: readonly RpcRule[];
  readonly cases: readonly RpcCase[];
  readonly probes: RpcProbes;
  /** The provider states of the `states.yaml` beside the contract. Undefined if it has none. */
  readonly states?: StatesCatalogue;
}

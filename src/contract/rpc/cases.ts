import { readFile } from "node:fs/promises";
import type { JsonObject } from "@bufbuild/protobuf";
import type { Matcher } from "../matcher.js";
import type { ServedHost } from "../served-host.js";
import type { StrengthOfRule } from "../strength.js";
import type { DaemonRpc } from "./rpcs.js";

/** One statement of the requirements, or a recommendation where they are silent, that a daemon or a client can keep or break. */
export interface DaemonRule extends StrengthOfRule {
  readonly id: string;
  /** Who keeps or breaks the rule. Defaults to the daemon. */
  readonly party?: "client";
  readonly text: string;
  /** Where the requirements state it, such as `Endpoints, rule 1`. */
  readonly source?: string;
  /** The evidence that shows the rule. Undefined if there is none. */
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
  readonly rpc?: DaemonRpc;
  /** The reason why no call can test the rule. Undefined if a case checks it. */
  readonly untestable?: string;
}

/**
 * The kind of response that shows a rule: one in which the daemon could have broken it. `proto/cases/README.md` explains each kind. Pointers
 * lead into the reply; `*` matches any element or field.
 */
export type Evidence =
  | { readonly by: "case" | "reply" | "fetch" | "error" | "log" }
  | { readonly by: "value" | "echo"; readonly at: readonly string[] }
  /** A value of an enumeration or a field of a message, such as `NetworkType.Trojan`. */
  | { readonly by: "descriptor"; readonly symbol: string };

/** Responses that break a rule. Pointers point to a field of the reply. */
export interface Breach {
  /** The rule is broken if the daemon says that it does not implement an RPC of this service. */
  readonly unimplemented?: string;
  /** Whether the requirements leave the name of that service open. */
  readonly renamable?: true;
  /** Whether a response outside the RPC protocol breaks the rule. */
  readonly malformed?: true;
  /** The surfaces on which a secret breaks the rule. If undefined, all of them. */
  readonly leak?: readonly Surface[];
  /** The part of the URL that the rule calls a secret. */
  readonly part?: UrlPart;
  /** Whether an error breaks the rule if it shows a secret of the URL of an earlier, failed call. */
  readonly later?: true;
  /** The field, or several, whose value must be that of the case, if the case fixes it. */
  readonly wrong?: string | readonly string[];
  /**
   * The field that must not be at another number. The rule is broken if a reply lacks the field and has an unknown field of the same wire
   * type.
   */
  readonly misplaced?: string;
}

/** A place where a daemon can show a secret: a part of a response, or its log. */
export type Surface = "message" | "details" | "metadata" | "reply" | "logs";

/** A part of a URL that can hold a secret; `unsupported` is any part of a URL that no daemon can fetch. */
export type UrlPart =
  | "password"
  | "query-value"
  | "query-token"
  | "user-name"
  | "path"
  | "bare-query"
  | "fragment"
  | "nested-url"
  | "words"
  | "unsupported";

/** A list of a reply, and the field that counts its entries. */
export interface Listing {
  readonly list: string;
  readonly count: string;
}

/** Request fields that take their value from the reply of an earlier call, such as `{id: "import.id"}`. */
export type Binding = Readonly<Record<string, string>>;

/** A step before the call of a case. */
export type GivenStep = { readonly id: string; readonly serve: ServedHost } | EarlierCall;

/** A call that precedes that of a case. */
export interface EarlierCall {
  readonly id: string;
  readonly call: DaemonRpc;
  /** ProtoJSON, in which `$import.id` is a value of an earlier reply. */
  readonly with: JsonObject;
  /** What the daemon should do. If it does not, the case is skipped. Defaults to the status `ok`. */
  readonly expect?: { readonly status: Matcher };
  /** The call overlaps with that of the case: it is sent right before it, and again right after it, without waiting for a response. */
  readonly overlaps?: true;
}

/** A call and its expected outcome. `proto/README.md` explains each key. */
export interface DaemonCase {
  readonly name: string;
  readonly summary: string;
  readonly rule: string;
  readonly also?: readonly string[];
  readonly rpc: DaemonRpc;
  readonly given?: readonly GivenStep[];
  readonly bind?: Binding;
  /** ProtoJSON. */
  readonly request: JsonObject;
  /** Whether the request also has a field that the contract lacks. */
  readonly extended?: true;
  /** How many characters are appended to the URL of the request. */
  readonly padded?: number;
  /** Whether the caller cancels the call as soon as the host has its request. Only the log shows the effect. */
  readonly canceled?: true;
  /** ProtoJSON. A case has either a reply or an error. */
  readonly reply?: JsonObject;
  /** JSON pointers to the values of the reply that the contract fixes; `*` matches any element. */
  readonly exact?: readonly string[];
  /** What values of the reply must be, by JSON pointer. `$host.requests` are the requests that the host got because of the call. */
  readonly expect?: Readonly<Record<string, Matcher>>;
  /** The reason why the contract does not require the call to succeed. */
  readonly open?: string;
  /** The error of the mock. The contract fixes neither code nor message; if `rule` is a recommendation, it recommends the code. */
  readonly error?: { readonly code: string; readonly message: string };
  /** Strings in the URLs of the case that must not appear in responses or logs of the daemon. */
  readonly secrets?: readonly string[];
}

/**
 * The RPCs that `accord verify daemon` calls besides the cases: `reach` with an empty request, to find out whether the daemon responds;
 * `fetch` with the URL of a subscription, to find out whether it fetches; `refusal` with an empty request. A daemon that refuses the
 * last two refuses every call.
 */
export type DaemonProbes = Readonly<Record<"reach" | "fetch" | "refusal", DaemonRpc>>;

/** The content of `proto/cases`. */
export interface DaemonCases {
  /** The rules of daemons. */
  readonly rules: readonly DaemonRule[];
  readonly clientRules: readonly DaemonRule[];
  readonly cases: readonly DaemonCase[];
  readonly probes: DaemonProbes;
}

/** Loads the rules and cases of the RPC contract. */
export async function loadDaemonCases(): Promise<DaemonCases> {
  return JSON.parse(await readFile(new URL("../../../generated/daemon/cases.json", import.meta.url), "utf8"));
}

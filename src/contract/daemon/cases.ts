import { readFile } from "node:fs/promises";
import type { JsonObject } from "@bufbuild/protobuf";
import type { DaemonRpc } from "./rpcs.js";

/** One statement of the requirements that a daemon can obey or break. */
export interface DaemonRule {
  readonly id: string;
  readonly text: string;
  /** Where the requirements state it, such as `Endpoints, rule 1`. */
  readonly source?: string;
  /** The evidence that shows the rule. Undefined if there is none. */
  readonly shown?: Evidence;
  /** The replies that break the rule in any case. */
  readonly broken?: Contradiction;
  /** The reason why no call can test the rule. Undefined if a case checks it. */
  readonly untestable?: string;
}

/**
 * The kind of response that shows a rule: one in which the daemon could have broken it. `proto/README.md` explains each kind. Pointers
 * lead into the reply; `*` matches any element or field.
 */
export type Evidence =
  | { readonly by: "reply" | "fetch" | "error" | "log" }
  | { readonly by: "value" | "echo"; readonly at: readonly string[] };

/** A reply that contradicts itself. Pointers lead to a field of the reply. */
export type Contradiction = {
  /** The count that must not be below 0. */
  readonly negative?: string;
  /** The list that must not be empty if its count is above 0. */
  readonly empty?: Listing;
  /** Another list that may hold the entries that both count. */
  readonly besides?: Listing;
  /** The list that must not be longer than its count. */
  readonly uncounted?: Listing;
};

/** A list of a reply, and the field that counts its entries. */
export interface Listing {
  readonly list: string;
  readonly count: string;
}

/** The behaviour of the host of a subscription URL, for every path. */
export type SubscriptionHost =
  | {
      readonly kind: "content";
      /** Defaults to 200. */
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body: string;
      readonly encoding?: "base64";
    }
  | {
      readonly kind: "redirect";
      /** Defaults to 302. */
      readonly status?: number;
      readonly location: string;
      readonly then: SubscriptionHost;
    }
  | { readonly kind: "silent" }
  | { readonly kind: "refused" }
  | { readonly kind: "unknown" }
  | { readonly kind: "cut"; readonly body: string }
  | { readonly kind: "garbage"; readonly body: string };

/** Request fields that take their value from the reply of an earlier call, such as `{id: "import.id"}`. */
export type Binding = Readonly<Record<string, string>>;

/** A call that precedes the call of a case. */
export interface EarlierCall {
  readonly as: string;
  readonly rpc: DaemonRpc;
  readonly bind?: Binding;
  readonly request: JsonObject;
}

/** A call and its expected outcome. `proto/README.md` explains each key. */
export interface DaemonCase {
  readonly name: string;
  readonly summary: string;
  readonly rule: string;
  readonly also?: readonly string[];
  readonly rpc: DaemonRpc;
  readonly given?: { readonly host?: SubscriptionHost; readonly calls?: readonly EarlierCall[] };
  readonly bind?: Binding;
  /** ProtoJSON. */
  readonly request: JsonObject;
  /** ProtoJSON. A case has either a reply or an error. */
  readonly reply?: JsonObject;
  /** JSON pointers to the values of the reply that the contract fixes. */
  readonly exact?: readonly string[];
  /** The reason why the contract does not require the call to succeed. */
  readonly open?: string;
  /** The error of the mock. The contract fixes neither code nor message. */
  readonly error?: { readonly code: string; readonly message: string };
  /** Strings that must not appear in responses or logs of the daemon. */
  readonly secrets?: readonly string[];
}

/** The content of `proto/cases`. */
export interface DaemonCases {
  readonly rules: readonly DaemonRule[];
  readonly cases: readonly DaemonCase[];
}

/** Loads the rules and cases of the RPC contract. */
export async function loadDaemonCases(): Promise<DaemonCases> {
  return JSON.parse(await readFile(new URL("../../../generated/daemon/cases.json", import.meta.url), "utf8"));
}

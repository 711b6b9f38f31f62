import { readFile } from "node:fs/promises";
import type { JsonObject } from "@bufbuild/protobuf";
import type { DaemonRpc } from "./rpcs.js";

/** One statement of the requirements that a daemon can obey or break. */
export interface DaemonRule {
  readonly id: string;
  readonly text: string;
  /** Which answer shows the rule. Left out when none does. */
  readonly shown?: Evidence;
  /** Which reply breaks the rule, whatever the case. */
  readonly broken?: Contradiction;
  /** Why no call can show the rule. Left out when a case checks it. */
  readonly untestable?: string;
}

/**
 * The answer that shows a rule: one in which the daemon could have broken it. `proto/README.md` explains each kind. Pointers lead into
 * the reply; `*` stands for any element or field.
 */
export type Evidence =
  | { readonly by: "reply" | "fetch" | "error" | "log" }
  | { readonly by: "value" | "echo"; readonly at: readonly string[] };

/** A reply that contradicts itself. Pointers lead to a field of the reply. */
export type Contradiction = {
  /** The count that must not be below 0. */
  readonly negative?: string;
  /** The list that must not be empty when its count is above 0. */
  readonly empty?: Listing;
  /** Where else entries may be listed: what both count must be more than this list holds. */
  readonly besides?: Listing;
  /** The list that must not be longer than its count. */
  readonly uncounted?: Listing;
};

/** A list of a reply, and the field that counts its entries. */
export interface Listing {
  readonly list: string;
  readonly count: string;
}

/** What the host of a subscription URL answers, whatever the path. */
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

/** Request fields whose value comes from the reply of an earlier call, such as `{id: "import.id"}`. */
export type Binding = Readonly<Record<string, string>>;

/** A call made before the call of a case. */
export interface EarlierCall {
  readonly as: string;
  readonly rpc: DaemonRpc;
  readonly bind?: Binding;
  readonly request: JsonObject;
}

/** A call and what it leads to. `proto/README.md` explains each key. */
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
  /** Why the contract does not fix that the call succeeds. */
  readonly open?: string;
  /** What the mock answers; the contract fixes neither code nor message. */
  readonly error?: { readonly code: string; readonly message: string };
  /** Strings that must not show in anything the daemon answers or logs. */
  readonly secrets?: readonly string[];
}

/** Everything in `proto/cases`. */
export interface DaemonCases {
  readonly rules: readonly DaemonRule[];
  readonly cases: readonly DaemonCase[];
}

/** The rules and cases of the RPC contract. */
export async function loadDaemonCases(): Promise<DaemonCases> {
  return JSON.parse(await readFile(new URL("../../../generated/daemon/cases.json", import.meta.url), "utf8"));
}

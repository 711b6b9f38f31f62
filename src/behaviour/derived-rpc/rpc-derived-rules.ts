import type { RpcRule } from "../../contract/rpc/cases.js";
import type { RpcResource } from "../../contract/rpc/resources/find-rpc-resources.js";

/** The rules about the resources of RPCs, by what follows the name of the resource in their ids. `docs/derived.md` lists them. */
export const rpcDerivedRules = {
  "created-is-read": {
    text: "What was created is read back under its identity, with the values that were sent.",
    source: "https://google.aip.dev/133",
    gap: "How soon something can be read, and which values a server normalizes",
  },
  listed: {
    text: "What was created is listed, and filters by a value find it and leave out what has another value.",
    source: "https://google.aip.dev/132",
    gap: "How soon something is listed, and how filters compare",
  },
  changed: {
    text: "What an update names is changed, and with a field mask the rest stays.",
    source: "https://google.aip.dev/134",
    gap: "What an update without a field mask leaves",
  },
  removed: {
    text: "What was removed is neither read nor listed.",
    source: "https://google.aip.dev/135",
    gap: "Whether what was removed can still be read",
  },
  idempotent: {
    text: "A call that the files call idempotent, or that has the request id of an earlier one, has the effect of one.",
    source: "https://google.aip.dev/155",
    gap: "How long a request id is remembered",
  },
  "not-for-others": {
    text: "What one account made, another neither reads nor removes.",
    source: "https://google.aip.dev/211",
    gap: "Which things are shared between accounts",
  },
  "refused-changes-nothing": {
    text: "A refused request changes nothing.",
    source: "https://google.aip.dev/193",
    gap: "Whether a refused request may be carried out in part",
  },
  "refuses-invalid": {
    text: "A request that breaks a constraint of protovalidate is refused.",
    source: "the constraints in the Protobuf files",
    gap: "Whether the server validates what it gets",
  },
} as const satisfies Record<string, { readonly text: string; readonly source: string; readonly gap: string }>;

/** The kind of a derived rule. */
export type RpcDerivedKind = keyof typeof rpcDerivedRules;

/** The rule of a kind about a subject, such as a resource. */
export function rpcDerivedRule({ name }: Pick<RpcResource, "name">, kind: RpcDerivedKind): RpcRule {
  return { id: `${name}.${kind}`, strength: "should", shown: { by: "case" }, ...rpcDerivedRules[kind] };
}

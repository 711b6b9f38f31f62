import {
  createRegistry,
  type DescField,
  type DescFile,
  type DescMethod,
  type DescMethodUnary,
  type JsonObject,
  type Registry,
} from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import { createNameMatcher } from "../../text/name-pattern.js";
import type { RpcCase, RpcCases, RpcRule } from "./cases.js";
import { withImports } from "./descriptor-set.js";
import { exampleOf } from "./messages.js";

/** A unary RPC of a contract. */
export interface RpcMethod {
  /** `<Service>/<Rpc>`, such as `Library/GetBook`; with the package if two services of the contract have the same name. */
  readonly rpc: string;
  readonly method: DescMethodUnary;
}

/** An RPC that cannot be called. */
export interface UnsupportedRpc {
  /** As in `RpcMethod`. */
  readonly rpc: string;
  /** A sentence. */
  readonly reason: string;
}

/** A contract of RPCs: its messages and services, and what is claimed of a server. */
export interface RpcContract extends RpcCases {
  /** The name in commands and reports. */
  readonly name: string;
  readonly version: string;
  /** The files of the contract, without those that they import from elsewhere. */
  readonly files: readonly DescFile[];
  /** All types, also the imported ones: for `google.protobuf.Any` and for options. */
  readonly registry: Registry;
  readonly methods: readonly RpcMethod[];
  readonly unsupported: readonly UnsupportedRpc[];
  /** The folder with the `.proto` files, or the descriptor set, for `buf curl`. */
  readonly schema: string;
  /** Whether reports must not show the value of a field. */
  readonly isSecret: (field: DescField) => boolean;
  /** Whether an RPC changes nothing: it has the option `idempotency_level = NO_SIDE_EFFECTS`, or is named as a read. */
  readonly isRead: (rpc: string) => boolean;
  /** Names of RPCs and checks that no run sends. */
  readonly exclude?: readonly string[];
  /** The folder of the checks in code. Undefined if there are none, or if they may not run. */
  readonly checks?: URL;
}

/** What a contract is made of. */
export type RpcContractParts = Pick<
  RpcContract,
  "name" | "version" | "files" | "schema" | "isSecret" | "exclude" | "checks"
> &
  RpcCases & {
    /** Names of RPCs that change nothing, besides those that say so themselves; `*` matches any text. */
    readonly reads?: readonly string[];
  };

/**
 * Creates a contract. If none of its rules is broken by a response outside the RPC protocol, each RPC has an implied rule about that, which
 * an empty request shows. Cases without a rule are about it, too.
 */
export function createRpcContract({ reads = [], ...parts }: RpcContractParts): RpcContract {
  const { files, rules } = parts;
  const all = namedMethods(files);
  const isUnary = (one: { readonly method: DescMethod }): one is RpcMethod => one.method.methodKind === "unary";
  const methods = all.filter(isUnary);
  const saysItself = rules.some(({ broken }) => broken?.malformed === true);
  const safe = new Set(methods.flatMap((one) => (isSafe(one, reads) ? one.rpc : [])));
  return {
    ...parts,
    isRead: (rpc) => safe.has(rpc),
    cases: saysItself ? parts.cases : [...parts.cases, ...methods.map(emptyRequestCase)],
    registry: createRegistry(...withImports(files)),
    methods,
    unsupported: all.flatMap((one) => (isUnary(one) ? [] : { rpc: one.rpc, reason: whyUnsupported(one.method) })),
    rules: saysItself ? rules : [...rules, ...methods.map(impliedRule)],
  };
}

function isSafe({ rpc, method }: RpcMethod, reads: readonly string[]): boolean {
  if (method.idempotency === MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS) return true;
  return reads.some((name) => isNamed(rpc, name));
}

/** Whether a name, in which `*` matches any text, is that of an RPC, with or without its service. */
export function isNamed(rpc: string, name: string): boolean {
  return [rpc, ...rpc.split("/").slice(1)].some(createNameMatcher(name));
}

/** The RPCs of files, with their names in contracts. */
export function namedMethods(files: readonly DescFile[]): { readonly rpc: string; readonly method: DescMethod }[] {
  const services = files.flatMap((file) => file.services);
  return services.flatMap((service) => {
    const isUnique = services.filter(({ name }) => name === service.name).length === 1;
    const name = isUnique ? service.name : service.typeName;
    return service.methods.map((method) => ({ rpc: `${name}/${method.name}`, method }));
  });
}

/** The descriptor of an RPC. Throws if the contract has no such unary RPC. */
export function methodOf({ methods }: Pick<RpcContract, "methods">, rpc: string): DescMethodUnary {
  const found = methods.find((one) => one.rpc === rpc);
  if (found === undefined) throw new Error(`The contract has no unary RPC ${rpc}`);
  return found.method;
}

/** A request with only the required fields, which proto3 has not. */
export function emptyRequest(contract: Pick<RpcContract, "methods">, rpc: string): JsonObject {
  return exampleOf(methodOf(contract, rpc).input);
}

/** The id of the rule that an RPC has if the contract states none about its responses. */
export function impliedRuleId(rpc: string): string {
  return `${rpc}.response`;
}

function impliedRule({ rpc, method }: RpcMethod): RpcRule {
  return {
    id: impliedRuleId(rpc),
    text: `A call of \`${rpc}\` gets a ${method.output.typeName}, or an error with a code of gRPC.`,
    rpc,
    shown: { by: "response" },
    broken: { malformed: true },
  };
}

const probe = { kind: "probe", depth: "quick" } as const;

/** A call with an empty request, which any server must answer somehow. */
function emptyRequestCase({ rpc, method }: RpcMethod): RpcCase {
  const request = exampleOf(method.input);
  const name = `${rpc}/empty-request`;
  return { name, summary: "The request is empty", rule: impliedRuleId(rpc), rpc, request, derived: probe };
}

const kindNames = {
  unary: "a unary RPC",
  server_streaming: "server streaming",
  client_streaming: "client streaming",
  bidi_streaming: "bidirectional streaming",
} as const;

function whyUnsupported({ methodKind }: DescMethod): string {
  return `${kindNames[methodKind]} is unsupported; only unary RPCs can be called`;
}

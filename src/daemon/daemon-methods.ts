import type { DescMethodUnary } from "@bufbuild/protobuf";
import { services } from "../../generated/daemon/contract.js";
import type { RpcOf, UnaryMethods } from "../runtime/rpc/services.js";

type Services = typeof services;

/** An RPC as `<service>/<method>`, such as `ProxySubscriptions/SelectNode`. */
export type DaemonRpc = RpcOf<Services>;

export type UnionToIntersection<Union> = (Union extends unknown ? (part: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;

/** All RPCs by their name in lowerCamelCase. Generation rejects duplicate names. */
type DaemonMethods = UnionToIntersection<UnaryMethods<Services[keyof Services]>>;

/** An RPC of the contract: its name, and its descriptor, from which everything else is derived. */
export interface DaemonMethod {
  readonly rpc: DaemonRpc;
  readonly localName: keyof DaemonMethods;
  readonly method: DescMethodUnary;
}

/** The RPCs of the contract. `buf lint` checks that all are unary. */
export const daemonMethods: readonly DaemonMethod[] = Object.values(services).flatMap((service) =>
  service.methods.map((method) => ({
    rpc: `${service.name}/${method.name}` as DaemonRpc,
    localName: method.localName as keyof DaemonMethods,
    method: method as DescMethodUnary,
  })),
);

const methodsByRpc: ReadonlyMap<string, DescMethodUnary> = new Map(daemonMethods.map((one) => [one.rpc, one.method]));

/** The descriptor of an RPC. */
export function methodOf(rpc: string): DescMethodUnary {
  const method = methodsByRpc.get(rpc);
  if (method === undefined) throw new Error(`The contract has no RPC ${rpc}`);
  return method;
}

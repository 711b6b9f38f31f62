import { nearestNames } from "../../contract/nearest-names.js";
import type { RpcContract, RpcMethod } from "../../contract/rpc/contract.js";
import { pathOfMethod, type RpcNames, renamedServices } from "../../contract/rpc/names.js";
import { CouldNotRunError } from "../../verify/could-not-run-error.js";

/** The destination of a request. */
export type Destination =
  | { readonly kind: "rpc"; readonly method: RpcMethod }
  /** An RPC that the contract lacks. `name` is safe to show; `nearest` are the paths of similar RPCs. */
  | { readonly kind: "unknown"; readonly name: string; readonly nearest: readonly string[] }
  /** Something outside the contract, such as server reflection. */
  | { readonly kind: "outside" };

/** Finds the destination of a request by its method and target. */
export type RouteCall = (method: string, target: string) => Destination;

/**
 * Creates a router of the RPCs of the contract. `names` are the names of the services, if they differ from those of the contract. Throws a
 * `CouldNotRunError` if one is malformed.
 */
export function createCallRouter({ files, methods }: RpcContract, names: RpcNames = {}): RouteCall {
  try {
    renamedServices(files, names);
  } catch (error) {
    throw error instanceof TypeError ? new CouldNotRunError(error.message) : error;
  }
  const byPath = new Map(methods.map((one) => [`/${pathOfMethod(one.method, names)}`, one]));
  const paths = [...byPath.keys()];
  return (method, target) => {
    const [path = ""] = target.split("?", 1);
    const found = byPath.get(path);
    // A preflight of a browser is not a call.
    if (method === "OPTIONS") return { kind: "outside" };
    if (found !== undefined) return { kind: "rpc", method: found };
    const [, service] = /^\/((?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*)\/[A-Za-z_]\w*$/.exec(path) ?? [];
    // Services such as health and reflection come with gRPC.
    if (service?.startsWith("grpc.")) return { kind: "outside" };
    const name = service === undefined || path.length > 200 ? "a path that names no RPC" : path.slice(1);
    return { kind: "unknown", name, nearest: nearestNames(path, paths).map((one) => one.slice(1)) };
  };
}

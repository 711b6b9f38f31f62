import { services } from "../../generated/daemon/contract.js";
import { type Handlers, shortName } from "../runtime/rpc/services.js";
import type { UnionToIntersection } from "./daemon-methods.js";

type GroupedHandlers = Handlers<typeof services>;
type AllHandlers = UnionToIntersection<GroupedHandlers[keyof GroupedHandlers]>;

/** A handler for each RPC of the contract, such as `selectNode`. */
export type DaemonHandlers = { readonly [Name in keyof AllHandlers]: AllHandlers[Name] };

/** The handlers by service. As no two RPCs have the same name, each service finds its own among all. */
export function byService(handlers: DaemonHandlers): GroupedHandlers {
  const groups: object = Object.fromEntries(Object.keys(services).map((name) => [shortName(name), handlers]));
  return groups as GroupedHandlers;
}

import type { DescMethodUnary } from "@bufbuild/protobuf";
import type { CallHandler } from "../../server/rpc/call-handler.js";
import type { DaemonMethods } from "../daemon-methods.js";

/** A handler for each RPC of the contract, such as `selectNode`. */
export type DaemonHandlers = {
  readonly [Name in keyof DaemonMethods]: DaemonMethods[Name] extends DescMethodUnary
    ? CallHandler<DaemonMethods[Name]>
    : never;
};

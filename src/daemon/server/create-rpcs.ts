import type { DescMethodUnary } from "@bufbuild/protobuf";
import { daemonMethods } from "../../contract/daemon/rpcs.js";
import { createRpc, type ReportFault, type Rpc } from "./calls/rpc.js";
import type { CallHandler, DaemonHandlers } from "./daemon-handlers.js";

/** Binds the RPCs of the contract to their handlers. Throws a `TypeError` if one is missing, which only untyped code can cause. */
export function createRpcs(handlers: DaemonHandlers, reportFault: ReportFault): readonly Rpc[] {
  // The type of each handler matches its method, but the compiler cannot know a method that is chosen at run time.
  const untyped = handlers as unknown as Readonly<Record<string, CallHandler<DescMethodUnary>>>;
  return daemonMethods.map(({ localName, method }) => {
    if (typeof untyped[localName] !== "function") throw new TypeError(`The daemon has no handler ${localName}`);
    // Keep `this`, because `handlers` may be an instance of a class.
    return createRpc(
      method,
      (request, context) => (untyped[localName] as CallHandler<DescMethodUnary>).call(handlers, request, context),
      reportFault,
    );
  });
}

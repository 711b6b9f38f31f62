import type { DescMethodUnary } from "@bufbuild/protobuf";
import type { CallHandler } from "../../server/rpc/call-handler.js";
import type { RpcRoute } from "../../server/rpc/rpc-server-options.js";
import { daemonMethods } from "../daemon-methods.js";
import type { DaemonHandlers } from "./daemon-handlers.js";

/** The RPCs of the daemon with their handlers. Throws a `TypeError` if a handler is missing, which only untyped code can cause. */
export function daemonRoutes(handlers: DaemonHandlers): RpcRoute[] {
  // The type of each handler matches its method, but the compiler cannot know a method that is chosen at run time.
  const untyped = handlers as unknown as Readonly<Record<string, CallHandler<DescMethodUnary>>>;
  return daemonMethods.map(({ localName, method, rpc }) => {
    const handler = untyped[localName];
    if (typeof handler !== "function") throw new TypeError(`The daemon has no handler ${localName}`);
    // Keep `this`, because `handlers` may be an instance of a class.
    return { rpc, method, handler: handler.bind(handlers) };
  });
}

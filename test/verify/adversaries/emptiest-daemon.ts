import { create, type DescService } from "@bufbuild/protobuf";
import { MeshControlService, ProxySubscriptions } from "../../../src/daemon/index.js";
import type { Handlers } from "../rpc/example-daemon.js";

/** Creates handlers that answer every call with an empty message. Calls `before` with the URL of the call, if it has one. */
export function emptiestHandlers(before: (url: string) => Promise<unknown> = async () => {}): Handlers {
  const ofService = ({ method }: DescService) =>
    Object.entries(method).map(([name, { output }]) => [
      name,
      async (request: object) => {
        if ("url" in request && typeof request.url === "string") await before(request.url);
        return create(output);
      },
    ]);
  return Object.fromEntries([ProxySubscriptions, MeshControlService].flatMap(ofService));
}

import type { JsonObject } from "@bufbuild/protobuf";
import type { RpcContract } from "../../contract/rpc/contract.js";
import { type FieldPath, findRpcResources } from "../../contract/rpc/resources/find-rpc-resources.js";
import type { CallRpc } from "../../judge/rpc/answer.js";
import type { CreatedThing } from "../../report/model/json-report.js";
import { idIn, maxRemoved } from "../run/creations.js";
import { effectOfRpc } from "./rpc-operations.js";

/** Notes what the calls of a run create and remove, so that it can remove what is left, and a report can name that. */
export interface RpcCreations {
  /** Notes a call that succeeded. */
  readonly note: (rpc: string, request: JsonObject, reply: JsonObject) => void;
  /** What was created and not removed, in order. */
  readonly list: () => readonly CreatedThing[];
  /** Removes it, the last first, as far as an RPC does. */
  readonly remove: (call: CallRpc, mayCall: (rpc: string) => boolean) => Promise<void>;
}

interface Left extends CreatedThing {
  readonly removal?: { readonly rpc: string; readonly request: JsonObject };
}

/** Creates the notes of a run. */
export function createRpcCreations(contract: RpcContract): RpcCreations {
  const left = new Map<string, Left>();
  const resources = findRpcResources(contract.methods);
  const note = (rpc: string, request: JsonObject, reply: JsonObject) => {
    const made = resources.find(({ create }) => create?.rpc === rpc);
    const gone = resources.find(({ remove }) => remove?.rpc === rpc);
    const [service = ""] = rpc.split("/");
    if (gone?.remove !== undefined) left.delete(`${gone.name} ${valueAt(request, gone.remove.by)}`);
    if (made?.create !== undefined) {
      const { identity } = made.create;
      const id = valueAt(identity.in === "reply" ? reply : request, identity.at);
      const { remove } = made;
      if (id === undefined || id === "") return;
      const removal = remove && { removal: { rpc: remove.rpc, request: nested(remove.by, id) } };
      left.set(`${made.name} ${id}`, { request: rpc, thing: `${made.noun} ${id}`, ...removal });
      return;
    }
    const effect = effectOfRpc(rpc, contract);
    const id = effect === 1 ? idIn(reply) : undefined;
    if (id !== undefined) left.set(`${service} ${id}`, { request: rpc, thing: `id ${id}` });
    if (effect >= 3) for (const value of Object.values(request)) left.delete(`${service} ${value}`);
  };
  return {
    note,
    list: () => [...left.values()].map(({ removal: _, ...thing }) => thing),
    remove: async (call, mayCall) => {
      for (const { removal } of [...left.values()].reverse().slice(0, maxRemoved)) {
        if (removal === undefined || !mayCall(removal.rpc)) continue;
        const answer = await call(removal.rpc, removal.request);
        if (answer.kind === "reply") note(removal.rpc, removal.request, answer.reply);
      }
    },
  };
}

function valueAt(message: JsonObject, path: FieldPath): string | number | undefined {
  const value = path.reduce<unknown>((inner, name) => Object(inner)[name], message);
  return typeof value === "string" || typeof value === "number" ? value : undefined;
}

function nested([name = "", ...rest]: FieldPath, value: string | number): JsonObject {
  return { [name]: rest.length === 0 ? value : nested(rest, value) };
}

import type { DescService } from "@bufbuild/protobuf";
import { emptyRequest, methodOf, type RpcContract } from "../../contract/rpc/contract.js";
import { type RpcNames, renamedServices } from "../../contract/rpc/names.js";
import type { CallRpc, RpcAnswer } from "../../judge/rpc/answer.js";
import type { Presence } from "../run/presence.js";
import type { ServerReflection } from "./ask-reflection.js";

/** What server reflection says of an RPC. Undefined if it says nothing. */
export type AskReflection = (rpc: string) => Promise<Presence | undefined>;

/**
 * Creates a function that asks reflection for RPCs. One is missing if its service is listed without it, or is not listed beside another
 * service of the contract: something in front of the servers may answer for others.
 */
export function createReflectionReader(
  contract: Pick<RpcContract, "files" | "methods">,
  names: RpcNames,
  { describe, services }: ServerReflection,
): AskReflection {
  const renamed = renamedServices([...contract.files], names);
  const nameOf = ({ typeName }: DescService) => renamed.get(typeName) ?? typeName;
  const own = contract.methods.map(({ method }) => nameOf(method.parent));
  return async (rpc) => {
    const listed = await services();
    if (listed === undefined || !listed.some((name) => own.includes(name))) return undefined;
    const { name, parent } = methodOf(contract, rpc);
    const service = nameOf(parent);
    if (!listed.includes(service)) return { kind: "not-implemented", why: `server reflection lists no ${service}` };
    const files = await describe(service);
    const found = files?.flatMap((file) =>
      file.service.filter((one) => `${prefixOf(file.package)}${one.name}` === service),
    );
    if (found === undefined || found.length === 0) return undefined;
    const isThere = found.some(({ method }) => method.some((one) => one.name === name));
    return isThere
      ? { kind: "there" }
      : { kind: "not-implemented", why: `server reflection lists no ${service}/${name}` };
  };
}

function prefixOf(name: string): string {
  return name === "" ? "" : `${name}.`;
}

/** Asks for an RPC with bytes that are no message, which no server can act on. Undefined if the answer tells nothing. */
export async function askWithoutMessage(
  rpc: string,
  contract: RpcContract,
  callRpc: CallRpc,
): Promise<Presence | undefined> {
  const answer: RpcAnswer = await callRpc(rpc, emptyRequest(contract, rpc), { broken: true });
  if (answer.kind !== "error" || beforeAnyRpc.has(answer.code)) return undefined;
  if (answer.code === "unimplemented") return { kind: "not-implemented", why: "code unimplemented" };
  return { kind: "there" };
}

/** The codes with which a server, or something in front of it, may refuse a call before it looks for the RPC. */
const beforeAnyRpc: ReadonlySet<string> = new Set([
  "unauthenticated",
  "permission_denied",
  "unavailable",
  "resource_exhausted",
]);

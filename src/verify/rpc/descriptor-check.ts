import { type DescEnum, type DescMessage, fromBinary } from "@bufbuild/protobuf";
import {
  type DescriptorProto,
  type EnumDescriptorProto,
  FieldDescriptorProto_Label,
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
} from "@bufbuild/protobuf/wkt";
import { createClient, type Transport } from "@connectrpc/connect";
import { ServerReflection } from "../../../generated/daemon/grpc/reflection/v1/reflection_pb.js";
import { ServerReflection as ServerReflectionV1Alpha } from "../../../generated/daemon/grpc/reflection/v1alpha/reflection_pb.js";
import type { DaemonRule } from "../../contract/rpc/cases.js";
import { contractFiles } from "../../contract/rpc/descriptor-set.js";
import type { CheckOutcome, CheckResult } from "../model/check-result.js";

/** Returns the files with which a daemon describes a type of the contract. Undefined if it does not. Rejects only when aborted. */
export type DescribeType = (name: string) => Promise<readonly FileDescriptorProto[] | undefined>;

/** The check of the types that no RPC returns. A daemon shows them by server reflection. */
export function descriptorCheck(rules: readonly DaemonRule[]): Omit<CheckResult, "outcome" | "durationMs"> {
  return {
    id: "server reflection",
    kind: "case",
    operation: "reflection",
    summary: "The daemon describes the types that no RPC returns as the contract does",
    rules: rules.filter(({ shown }) => shown?.by === "descriptor").map(({ id }) => id),
  };
}

/** Creates a function that asks server reflection of either version. `prefix` is the package of the daemon's services. */
export function createTypeReader(
  transport: Transport,
  {
    prefix = contractPackage,
    timeoutMs,
    signal,
  }: { prefix?: string | undefined; timeoutMs: number; signal: AbortSignal },
): DescribeType {
  const [current, older] = [
    createClient(ServerReflection, transport),
    createClient(ServerReflectionV1Alpha, transport),
  ];
  const options = { timeoutMs, signal };
  return async (name) => {
    const value = prefix === "" ? name : `${prefix}.${name}`;
    const request = { messageRequest: { case: "fileContainingSymbol", value } } as const;
    const found = await firstFiles(() => current.serverReflectionInfo(once(request), options), signal);
    return found ?? (await firstFiles(() => older.serverReflectionInfo(once(request), options), signal));
  };
}

/** Asks the daemon for each type. A daemon without reflection, or without a type, neither shows nor breaks its rules. */
export async function checkDescriptors(rules: readonly DaemonRule[], describe: DescribeType): Promise<CheckOutcome> {
  const shown: string[] = [];
  const broken: string[] = [];
  const problems: string[] = [];
  for (const { id, shown: evidence } of rules) {
    if (evidence?.by !== "descriptor") continue;
    const [typeName = "", member = ""] = evidence.symbol.split(".");
    const type = (await describe(typeName))?.flatMap(typesOf).find(({ name }) => name === typeName);
    if (type === undefined) continue;
    const problem = memberProblem(type, typeName, member);
    if (problem === undefined) shown.push(id);
    else broken.push(id);
    problems.push(...[problem ?? []].flat());
  }
  if (problems.length > 0) return { kind: "failed", problems, broken, shown, trace: [] };
  const reason = "the daemon does not describe the types by server reflection";
  return shown.length === 0 ? { kind: "skipped", reason } : { kind: "passed", shown, reason };
}

type TypeProto = EnumDescriptorProto | DescriptorProto;

interface ReflectionReply {
  readonly messageResponse:
    | {
        readonly case: "fileDescriptorResponse";
        readonly value: { readonly fileDescriptorProto: readonly Uint8Array[] };
      }
    | { readonly case: string | undefined };
}

async function firstFiles(
  ask: () => AsyncIterable<ReflectionReply>,
  signal: AbortSignal,
): Promise<FileDescriptorProto[] | undefined> {
  try {
    for await (const { messageResponse } of ask()) {
      if (!("value" in messageResponse)) return undefined;
      return messageResponse.value.fileDescriptorProto.map((bytes) => fromBinary(FileDescriptorProtoSchema, bytes));
    }
  } catch {
    // A daemon need not offer reflection.
    signal.throwIfAborted();
  }
  return undefined;
}

async function* once<Value>(value: Value): AsyncIterable<Value> {
  yield value;
}

function typesOf({ enumType, messageType }: FileDescriptorProto): TypeProto[] {
  return [...enumType, ...messageType];
}

/** What is wrong with a value of an enumeration or a repeated field. Values may have a prefix, as in `NETWORK_TYPE_TROJAN`. */
function memberProblem(type: TypeProto, typeName: string, member: string): string | undefined {
  const number = numberInContract(typeName, member);
  if (type.$typeName === "google.protobuf.EnumDescriptorProto") {
    const found = type.value.find(({ name }) => plain(name).endsWith(plain(member)));
    if (found === undefined) return `${typeName} has no value ${member}`;
    return found.number === number ? undefined : `${typeName}: expected ${member} to be ${number}, got ${found.number}`;
  }
  const found = type.field.find(({ name }) => plain(name) === plain(member));
  if (found === undefined) return `${typeName} has no field ${member}`;
  if (found.number !== number) return `${typeName}: expected field ${member} to be ${number}, got ${found.number}`;
  return found.label === FieldDescriptorProto_Label.REPEATED
    ? undefined
    : `${typeName}: expected ${member} to be a list`;
}

function plain(name: string): string {
  return name.replaceAll("_", "").toLowerCase();
}

function numberInContract(typeName: string, member: string): number | undefined {
  const types: readonly (DescEnum | DescMessage)[] = contractFiles().flatMap(({ enums, messages }) => [
    ...enums,
    ...messages,
  ]);
  const type = types.find(({ name }) => name === typeName);
  const members = type?.kind === "enum" ? type.values : (type?.fields ?? []);
  return members.find(({ name }) => name === member)?.number;
}

const [contractPackage = ""] = contractFiles().map(({ proto }) => proto.package);

import type { DescEnum, DescFile, DescMessage } from "@bufbuild/protobuf";
import {
  type DescriptorProto,
  type EnumDescriptorProto,
  FieldDescriptorProto_Label,
  type FileDescriptorProto,
} from "@bufbuild/protobuf/wkt";
import type { Check } from "../../contract/check.js";
import type { RpcRule } from "../../contract/rpc/cases.js";
import type { RpcContract } from "../../contract/rpc/contract.js";
import type { CheckOutcome } from "../../report/model/check-result.js";
import type { DescribeType } from "./ask-reflection.js";

/** The check of the types that no RPC returns. A server shows them by server reflection. */
export function descriptorCheck(rules: readonly RpcRule[]): Check {
  return {
    id: "server reflection",
    kind: "case",
    operation: "reflection",
    summary: "The server describes the types that no RPC returns as the contract does",
    rules: rules.filter(({ shown }) => shown?.by === "descriptor").map(({ id }) => id),
    steps: [],
  };
}

/**
 * Asks the server for each type, in the package of the contract or in `otherPackage`. A server without reflection, or without a type, neither
 * shows nor breaks its rules.
 */
export async function checkDescriptors(
  { rules, files }: Pick<RpcContract, "rules" | "files">,
  describe: DescribeType,
  otherPackage?: string,
): Promise<CheckOutcome> {
  const shown: string[] = [];
  const broken: string[] = [];
  const problems: string[] = [];
  for (const { id, shown: evidence } of rules) {
    if (evidence?.by !== "descriptor") continue;
    const [typeName = "", member = ""] = evidence.symbol.split(".");
    const own = typesOfContract(files).find(({ name }) => name === typeName);
    const prefix = otherPackage ?? own?.file.proto.package ?? "";
    const described = await describe(prefix === "" ? typeName : `${prefix}.${typeName}`);
    const type = described?.flatMap(typesOf).find(({ name }) => name === typeName);
    if (type === undefined || own === undefined) continue;
    const problem = memberProblem(type, own, member);
    if (problem === undefined) shown.push(id);
    else broken.push(id);
    problems.push(...[problem ?? []].flat());
  }
  if (problems.length > 0) return { kind: "failed", problems, broken, shown, trace: [] };
  const reason = "the server does not describe the types by server reflection";
  return shown.length === 0 ? { kind: "skipped", reason } : { kind: "passed", shown, reason };
}

type TypeProto = EnumDescriptorProto | DescriptorProto;

function typesOf({ enumType, messageType }: FileDescriptorProto): TypeProto[] {
  return [...enumType, ...messageType];
}

/** What is wrong with a value of an enumeration or a repeated field. Values may have a prefix, as in `NETWORK_TYPE_TROJAN`. */
function memberProblem(type: TypeProto, own: DescEnum | DescMessage, member: string): string | undefined {
  const { name: typeName } = own;
  const members = own.kind === "enum" ? own.values : own.fields;
  const number = members.find(({ name }) => name === member)?.number;
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

function typesOfContract(files: readonly DescFile[]): (DescEnum | DescMessage)[] {
  return files.flatMap(({ enums, messages }) => [...enums, ...messages]);
}

import { fileURLToPath } from "node:url";
import {
  createFileRegistry,
  type DescMessage,
  type DescMethod,
  type FileRegistry,
  fromBinary,
  fromJson,
  isMessage,
  type JsonObject,
  toJson,
} from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import type { EarlierCall } from "../../src/contract/rpc/cases.js";
import type { DaemonRpc } from "../../src/contract/rpc/rpcs.js";
import { runBuf } from "../../src/run-buf.js";

const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * The parts of the contract that describe the messages of cases. Built from `proto/`, because generated code may be out
 * of date.
 */
export interface CaseMessages {
  /** Every RPC of the contract. */
  readonly rpcs: readonly string[];
  /** The method that a case calls. */
  readonly method: (rpc: DaemonRpc) => DescMethod;
  /** Converts ProtoJSON to its canonical form. Throws if the message lacks a field or a value has the wrong type. */
  readonly canonical: (schema: DescMessage, json: JsonObject) => JsonObject;
  /** Says why an expression such as `import.id` is no value of an earlier reply; undefined if it is one. */
  readonly sourceProblem: (source: string, earlier: readonly EarlierCall[]) => string | undefined;
}

/** Builds the descriptors of the contract. */
export async function loadCaseMessages(): Promise<CaseMessages> {
  const registry = createFileRegistry(
    fromBinary(FileDescriptorSetSchema, await runBuf(root, "build", "--output", "-")),
  );
  const method = (rpc: DaemonRpc) => findMethod(registry, rpc);
  const services = [...registry].filter((one) => one.kind === "service" && one.typeName.startsWith("proxydaemon.v1."));
  const rpcs = services.flatMap((one) =>
    one.kind === "service" ? one.methods.map(({ name }) => `${one.name}/${name}`) : [],
  );
  return {
    rpcs,
    method,
    canonical: (schema, json) => {
      const message = fromJson(schema, json, { registry });
      const back = isMessage(message) ? toJson(schema, message, { registry }) : undefined;
      if (typeof back !== "object" || back === null || Array.isArray(back))
        throw new Error(`${schema.typeName} is not a JSON object`);
      return back;
    },
    sourceProblem: (source, earlier) => {
      const [id, ...path] = source.split(".");
      const found = earlier.find((candidate) => candidate.id === id && candidate.expect === undefined);
      if (found === undefined) return `${source}, but no earlier call is named ${id}`;
      const { output } = method(found.call);
      return leadsToField(output, path) ? undefined : `${source}, which is not a field of ${output.typeName}`;
    },
  };
}

/** Whether a path of JSON names and list positions, or `*` for all of them, leads to a field of the message. */
export function leadsToField(message: DescMessage, [name, ...rest]: readonly string[]): boolean {
  const field = message.fields.find((candidate) => candidate.jsonName === name);
  if (field === undefined) return false;
  if (rest.length === 0) return true;
  if (field.fieldKind === "message") return leadsToField(field.message, rest);
  if (field.fieldKind !== "list" || !/^(?:\d+|\*)$/.test(rest[0] ?? "")) return false;
  return rest.length === 1 || (field.listKind === "message" && leadsToField(field.message, rest.slice(1)));
}

function findMethod(registry: FileRegistry, rpc: DaemonRpc): DescMethod {
  const [service, name] = rpc.split("/");
  const found = registry.getService(`proxydaemon.v1.${service}`)?.methods.find((method) => method.name === name);
  if (found === undefined) throw new Error(`proto/ has no rpc proxydaemon.v1.${rpc}`);
  return found;
}

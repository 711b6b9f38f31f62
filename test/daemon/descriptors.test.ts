import { createRegistry, type DescField, getOption, ScalarType } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { file_proxydaemon_v1_mesh_control } from "../../generated/daemon/proxydaemon/v1/mesh_control_pb.js";
import { file_proxydaemon_v1_network } from "../../generated/daemon/proxydaemon/v1/network_pb.js";
import { file_proxydaemon_v1_proxy_subscriptions } from "../../generated/daemon/proxydaemon/v1/proxy_subscriptions_pb.js";
import { secret } from "../../generated/daemon/proxydaemon/v1/secret_pb.js";
import { daemonFacts } from "../requirements/facts.js";

const { enums, messages, rpcs } = daemonFacts;
const files = [file_proxydaemon_v1_mesh_control, file_proxydaemon_v1_network, file_proxydaemon_v1_proxy_subscriptions];
const registry = createRegistry(...files);
const descriptors = [...registry];

function typeOf(field: DescField): string {
  const one = field.message?.name ?? field.enum?.name ?? ScalarType[field.scalar ?? 0]?.toLowerCase();
  return field.fieldKind === "list" ? `repeated ${one}` : `${one}`;
}

/** The contract's names for declarations that the requirements leave unnamed. */
const service = (name: string) => `proxydaemon.v1.${name === "unnamed" ? "MeshControlService" : name}`;
function message(name: string): string {
  if (name === "Empty") return "google.protobuf.Empty";
  return `proxydaemon.v1.${name === "unnamed" ? "LoginCancelRequest" : name}`;
}

describe("the descriptors", () => {
  it.each(Object.entries(messages))("define exactly the required fields of message %s", (name, fields) => {
    const found = registry.getMessage(message(name))?.fields ?? [];
    expect(found.map((field) => [field.name, [typeOf(field), field.number]])).toEqual(Object.entries(fields));
  });

  it.each(Object.entries(enums))("define exactly the required values of enum %s", (name, values) => {
    const found = registry.getEnum(`proxydaemon.v1.${name}`)?.values ?? [];
    expect(found.map((value) => [value.name, value.number])).toEqual(Object.entries(values));
  });

  it.each(rpcs)("define the unary RPC $name of $service", (rpc) => {
    const method = registry.getService(service(rpc.service))?.methods.find(({ name }) => name === rpc.name);
    expect({ kind: method?.methodKind, input: method?.input.typeName, output: method?.output.typeName }).toEqual({
      kind: "unary",
      input: message(rpc.request),
      output: message(rpc.response),
    });
  });

  it("define nothing beyond the requirements", () => {
    const types = [...Object.keys(messages), ...Object.keys(enums)].map((name) => `proxydaemon.v1.${name}`);
    const services = new Set(rpcs.map((rpc) => service(rpc.service)));
    const expected = [...types, ...services, "proxydaemon.v1.LoginCancelRequest"];
    expect(descriptors.map(({ typeName }) => typeName).sort()).toEqual(expected.sort());
    const methods = descriptors.flatMap((one) => (one.kind === "service" ? one.methods.map(({ name }) => name) : []));
    expect(methods.sort()).toEqual(rpcs.map(({ name }) => name).sort());
  });

  it("use proto3", () => {
    expect(files.map(({ proto }) => proto.syntax)).toEqual(files.map(() => "proto3"));
  });

  it("reserve nothing, because a reserved number could never be defined later", () => {
    const messages = files.flatMap(({ proto }) => proto.messageType);
    expect(messages.flatMap(({ reservedRange, reservedName }) => [...reservedRange, ...reservedName])).toEqual([]);
  });

  it("mark exactly the fields that hold a URL as secret", () => {
    const fields = descriptors.flatMap((one) => (one.kind === "message" ? one.fields : []));
    const marked = fields.filter((field) => getOption(field, secret));
    expect(marked).toEqual(fields.filter(({ name }) => name === "url"));
    expect(marked).toHaveLength(2);
  });
});

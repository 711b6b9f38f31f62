import { readFileSync } from "node:fs";
import { createRegistry, type DescField, ScalarType } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { file_daemon_v1_mesh_control } from "../../generated/daemon/daemon/v1/mesh_control_pb.js";
import { file_daemon_v1_network } from "../../generated/daemon/daemon/v1/network_pb.js";
import { file_daemon_v1_proxy_subscriptions } from "../../generated/daemon/daemon/v1/proxy_subscriptions_pb.js";
import { type MarkdownTable, markdownTables } from "../requirements/markdown-tables.js";

const requirements = readFileSync(new URL("../../docs/requirements/proxy-daemon-rpc.md", import.meta.url), "utf8");
const tables = markdownTables(requirements);
const files = [file_daemon_v1_mesh_control, file_daemon_v1_network, file_daemon_v1_proxy_subscriptions];
const registry = createRegistry(...files);
const descriptors = [...registry];

/** Tables under a heading such as `Message X (fields that are stated)`, with the name X. */
function stated(kind: "Enum" | "Message"): [string, MarkdownTable][] {
  return tables.flatMap((table) => {
    const name = new RegExp(`^${kind} (\\w+)`).exec(table.headings[1] ?? "")?.[1];
    return name === undefined ? [] : [[name, table]];
  });
}

function typeOf(field: DescField): string {
  const one = field.message?.name ?? field.enum?.name ?? ScalarType[field.scalar ?? 0]?.toLowerCase();
  return field.fieldKind === "list" ? `repeated ${one}` : `${one}`;
}

/** The names that the requirements leave neutral, as the contract names them. */
const named: Readonly<Record<string, string>> = {
  "Mesh control service (neutral name)": "daemon.v1.MeshControlService",
  "login-cancel request": "daemon.v1.LoginCancelRequest",
  Empty: "google.protobuf.Empty",
};
const nameOf = (cell = "") => named[cell] ?? `daemon.v1.${cell}`;

describe("the proto contract", () => {
  it("defines every table of the requirements", () => {
    const checked = [...stated("Enum"), ...stated("Message")].map(([, table]) => table);
    expect(tables.filter((table) => !checked.includes(table)).map(({ headings }) => headings[0])).toEqual([
      "Endpoints",
    ]);
  });

  it.each(stated("Message"))("defines exactly the stated fields of message %s", (name, { rows }) => {
    const fields = registry.getMessage(`daemon.v1.${name}`)?.fields ?? [];
    const found = fields.map((field) => ({ Field: field.name, Type: typeOf(field), "No.": String(field.number) }));
    expect(found).toEqual(rows);
  });

  it.each(stated("Enum"))("defines exactly the stated values of enum %s", (name, { rows }) => {
    const values = registry.getEnum(`daemon.v1.${name}`)?.values.map((value) => [value.name, String(value.number)]);
    expect(values).toEqual(rows.map((row) => [row["Value name"]?.split(" ")[0], row.Number]));
  });

  const rpcs = tables.find(({ headings }) => headings[0] === "Endpoints")?.rows ?? [];
  it.each(rpcs)("defines the unary RPC $RPC of $Service", (row) => {
    const method = registry.getService(nameOf(row.Service))?.methods.find(({ name }) => name === row.RPC);
    expect({ kind: method?.methodKind, input: method?.input.typeName, output: method?.output.typeName }).toEqual({
      kind: "unary",
      input: nameOf(row["Request message"]),
      output: nameOf(row["Response message"]),
    });
  });

  it("defines nothing beyond the requirements", () => {
    const types = [...stated("Message"), ...stated("Enum")].map(([name]) => `daemon.v1.${name}`);
    const services = new Set(rpcs.map((row) => nameOf(row.Service)));
    const expected = [...types, ...services, "daemon.v1.LoginCancelRequest"];
    expect(descriptors.map(({ typeName }) => typeName).sort()).toEqual(expected.sort());
    const methods = descriptors.flatMap((one) => (one.kind === "service" ? one.methods.map(({ name }) => name) : []));
    expect(methods.sort()).toEqual(rpcs.map((row) => row.RPC).sort());
  });

  it("uses proto3", () => {
    expect(files.map(({ proto }) => proto.syntax)).toEqual(files.map(() => "proto3"));
  });

  it("reserves nothing, because a reserved number could never be defined later", () => {
    const messages = files.flatMap(({ proto }) => proto.messageType);
    expect(messages.flatMap(({ reservedRange, reservedName }) => [...reservedRange, ...reservedName])).toEqual([]);
  });

  it("marks exactly the fields that hold a URL with debug_redact", () => {
    const fields = descriptors.flatMap((one) => (one.kind === "message" ? one.fields : []));
    const marked = fields.filter(({ proto }) => proto.options?.debugRedact === true);
    expect(marked).toEqual(fields.filter(({ name }) => name === "url"));
    expect(marked).toHaveLength(2);
  });
});

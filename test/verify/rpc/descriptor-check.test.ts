import { createServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { clone, toBinary } from "@bufbuild/protobuf";
import { type FileDescriptorProto, FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { describe, expect, it } from "vitest";
import { ServerReflection } from "../../../generated/grpc/reflection/v1/reflection_pb.js";
import { ServerReflection as ServerReflectionV1Alpha } from "../../../generated/grpc/reflection/v1alpha/reflection_pb.js";
import { contractFiles } from "../../../src/daemon/contract-files.js";
import { loadDaemonCases, loadDaemonContract } from "../../../src/daemon/daemon-contract.js";
import { MeshControlService } from "../../../src/daemon/index.js";
import { toJsonReport } from "../../../src/report/model/to-json-report.js";
import { verifyRpc } from "../../../src/verify/rpc/verify-rpc.js";
import { stopLater } from "./example-daemon.js";

const { rules } = await loadDaemonCases();
const judged = rules.filter(({ shown }) => shown?.by === "descriptor").map(({ id }) => id);
const network = contractFiles().find(({ enums }) => enums.some(({ name }) => name === "NetworkType"));

type Version = "v1" | "v1alpha";

/** Serves LoginCancel and, in one version, reflection that describes the file with the network types, changed. */
async function serve(change: (file: FileDescriptorProto) => void, version?: Version): Promise<string> {
  if (network === undefined) throw new Error("The contract has no NetworkType");
  const file = clone(FileDescriptorProtoSchema, network.proto);
  change(file);
  const answer = async function* (requests: AsyncIterable<unknown>) {
    for await (const _ of requests) {
      const value = { fileDescriptorProto: [toBinary(FileDescriptorProtoSchema, file)] };
      yield { messageResponse: { case: "fileDescriptorResponse", value } } as const;
    }
  };
  const server = createServer(
    connectNodeAdapter({
      routes: (router) => {
        router.service(MeshControlService, { loginCancel: () => ({}) });
        if (version === "v1") router.service(ServerReflection, { serverReflectionInfo: answer });
        if (version === "v1alpha") router.service(ServerReflectionV1Alpha, { serverReflectionInfo: answer });
      },
    }),
  );
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  stopLater(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function statesAt(address: string) {
  const report = await verifyRpc(await loadDaemonContract(), {
    address,
    degree: "everything",
    only: ["server reflection"],
  });
  const states = toJsonReport(report).rules.filter(({ id }) => judged.includes(id));
  return { report, states: states.map(({ state }) => state) };
}

function typeOf({ enumType }: FileDescriptorProto) {
  const [type] = enumType.filter(({ name }) => name === "NetworkType");
  if (type === undefined) throw new Error("The file has no NetworkType");
  return type;
}

describe("the descriptors of a daemon", () => {
  it.each(["v1", "v1alpha"] as const)("show the rules about types that no RPC carries (%s)", async (version) => {
    const { report, states } = await statesAt(await serve(() => {}, version));
    expect(report.checks).toMatchObject([{ outcome: { kind: "passed" } }]);
    expect(states).toEqual(judged.map(() => "kept"));
  });

  it("leave these rules open if the daemon offers no reflection", async () => {
    const { report, states } = await statesAt(await serve(() => {}));
    expect(report.checks).toMatchObject([
      { outcome: { kind: "skipped", reason: expect.stringContaining("reflection") } },
    ]);
    expect(states).toEqual(judged.map(() => "not-exercised"));
  });

  it("leave these rules open if they lack the types", async () => {
    const address = await serve((file) => Object.assign(file, { enumType: [], messageType: [] }), "v1");
    expect((await statesAt(address)).states).toEqual(judged.map(() => "not-exercised"));
  });

  it("may give values a prefix", async () => {
    const address = await serve((file) => {
      for (const value of typeOf(file).value) {
        value.name = `NETWORK_TYPE_${value.name.replace(/(?<=[a-z])[A-Z]/g, "_$&").toUpperCase()}`;
      }
    }, "v1");
    expect((await statesAt(address)).states).toEqual(judged.map(() => "kept"));
  });

  it("break the rule about a value with another number, or without a field", async () => {
    const address = await serve((file) => {
      for (const value of typeOf(file).value) if (value.name === "Trojan") value.number = 7;
      for (const type of file.messageType) type.field = type.field.filter(({ name }) => name !== "excluded_routes");
    }, "v1");
    const { report, states } = await statesAt(address);
    expect(states).toEqual(["broken", "kept", "broken"]);
    expect(report.checks).toMatchObject([
      {
        outcome: {
          problems: [
            "NetworkType: expected Trojan to be 2, got 7",
            "TunnelConfigurationResponse has no field excluded_routes",
          ],
        },
      },
    ]);
  });
});

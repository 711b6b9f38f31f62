import {
  create,
  createRegistry,
  type DescMessage,
  fromBinary,
  type MessageInitShape,
  toBinary,
  toJson,
} from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import {
  file_proxydaemon_v1_mesh_control,
  LoginCancelRequestSchema,
} from "../../generated/daemon/proxydaemon/v1/mesh_control_pb.js";
import {
  file_proxydaemon_v1_network,
  NetworkReorderRequestSchema,
  TunnelConfigurationResponseSchema,
} from "../../generated/daemon/proxydaemon/v1/network_pb.js";
import {
  file_proxydaemon_v1_proxy_subscriptions,
  ProxySubscriptionApplyRequestSchema,
  ProxySubscriptionApplyResponseSchema,
  ProxySubscriptionImportRequestSchema,
  ProxySubscriptionNodePreviewSchema,
  ProxySubscriptionPreviewResponseSchema,
  ProxySubscriptionRejectedEntrySchema,
  ProxySubscriptionSelectRequestSchema,
  ProxySubscriptionSelectResponseSchema,
} from "../../generated/daemon/proxydaemon/v1/proxy_subscriptions_pb.js";

interface Golden {
  readonly schema: DescMessage;
  readonly init: MessageInitShape<DescMessage>;
  /** Written by hand in the wire format: tag, length, value. Spaces separate the fields. */
  readonly hex: string;
}

function golden<Desc extends DescMessage>(schema: Desc, init: MessageInitShape<Desc>, hex: string): Golden {
  return { schema, init, hex };
}

const vectors: readonly Golden[] = [
  golden(LoginCancelRequestSchema, {}, ""),
  golden(
    ProxySubscriptionImportRequestSchema,
    { url: "https://a.example/s" },
    "0a13 68747470733a2f2f612e6578616d706c652f73",
  ),
  golden(ProxySubscriptionRejectedEntrySchema, { ordinal: 3, reason: "no", scheme: "ss" }, "0803 12026e6f 1a027373"),
  golden(
    ProxySubscriptionNodePreviewSchema,
    { ordinal: 1, name: "n", protocol: "p", server: "s", port: 443, warnings: ["a", "b"], runtimeSupported: true },
    "0801 12016e 1a0170 220173 28bb03 320161 320162 3801",
  ),
  golden(
    ProxySubscriptionPreviewResponseSchema,
    {
      suggestedName: "n",
      detectedFormat: "f",
      compatibleCount: 2,
      rejectedCount: 1,
      node: [{ ordinal: 1 }, { ordinal: 2 }],
      rejected: [{ ordinal: 3 }],
      warnings: ["w"],
    },
    "0a016e 120166 1802 2001 2a020801 2a020802 32020803 3a0177",
  ),
  golden(
    ProxySubscriptionApplyRequestSchema,
    { id: -1, url: "u", name: "n", selectedOrdinal: 300 },
    "08ffffffffffffffffff01 120175 1a016e 20ac02",
  ),
  golden(ProxySubscriptionApplyResponseSchema, { id: 7, importedCount: 3, selectedOrdinal: 1 }, "0807 1003 1801"),
  golden(ProxySubscriptionSelectRequestSchema, { id: 7, selectedOrdinal: 2147483647 }, "0807 10ffffffff07"),
  golden(ProxySubscriptionSelectResponseSchema, { id: -2147483648, selectedOrdinal: 2 }, "0880808080f8ffffffff01 1002"),
  golden(
    TunnelConfigurationResponseSchema,
    { dnsServers: ["d"], searchDomains: ["s"], includeDefaultRoute: true, excludedRoutes: ["x", "y"] },
    "220164 2a0173 3001 3a0178 3a0179",
  ),
  golden(NetworkReorderRequestSchema, { id: 7, index: 1 }, "0807 1001"),
];

const bytes = (hex: string) => Buffer.from(hex.replaceAll(" ", ""), "hex");

describe("the wire format", () => {
  it.each(vectors)("matches the golden bytes of $schema.typeName", ({ schema, init, hex }) => {
    const message = create(schema, init);
    expect(Buffer.from(toBinary(schema, message)).toString("hex")).toBe(bytes(hex).toString("hex"));
    expect(fromBinary(schema, bytes(hex))).toEqual(message);
  });

  it("has golden bytes for every message", () => {
    const all = [
      ...createRegistry(
        file_proxydaemon_v1_mesh_control,
        file_proxydaemon_v1_network,
        file_proxydaemon_v1_proxy_subscriptions,
      ),
    ];
    const messages = all.filter(({ kind }) => kind === "message").map(({ typeName }) => typeName);
    expect(vectors.map(({ schema }) => schema.typeName).sort()).toEqual(messages.sort());
  });

  it("keeps the unknown fields 1 to 3 of TunnelConfigurationResponse, which daemons use", () => {
    // A list of strings, a number and another list of strings, with field 4.
    const received = bytes("220164 0a0131 0a0132 10dc0b 1a0133");
    const message = fromBinary(TunnelConfigurationResponseSchema, received);
    expect(message.dnsServers).toEqual(["d"]);
    expect(Buffer.from(toBinary(TunnelConfigurationResponseSchema, message)).toString("hex")).toBe(
      received.toString("hex"),
    );
    expect(toJson(TunnelConfigurationResponseSchema, message)).toEqual({ dnsServers: ["d"] });
  });

  it("keeps any content of a LoginCancel request", () => {
    const received = bytes("0a0161 1001");
    expect(
      Buffer.from(toBinary(LoginCancelRequestSchema, fromBinary(LoginCancelRequestSchema, received))).toString("hex"),
    ).toBe(received.toString("hex"));
  });
});

import { describe, expect, it } from "vitest";
import { createPreview } from "../../../reference/daemon/describe-preview.js";
import type { ContentPart } from "../../../reference/daemon/import/content.js";
import type { About } from "../../../reference/daemon/import/import-subscription.js";
import type { ProxyNode } from "../../../reference/daemon/import/proxy-node.js";
import { sampleNode, sampleNodes } from "../../support/sample-node.js";

async function preview({ nodes = [], rejected = [], ...about }: Partial<ContentPart & About>) {
  const { add, finish } = createPreview();
  add({ nodes, rejected });
  return finish({ suggestedName: "N", format: "uri-list", ...about });
}

const rejected = (...ordinals: number[]) =>
  ordinals.map((ordinal) => ({ ordinal, scheme: "trojan", reason: "missing-password" }) as const);
const unsupported = [{ ordinal: 1, node: sampleNode({ protocol: "vless" }) }];

describe("a preview", () => {
  it("shows nodes and rejected entries with their counts, but no settings", async () => {
    const shown = await preview({ nodes: sampleNodes([1, 3]), rejected: rejected(2) });
    const fields = { protocol: "trojan", server: "fra1.northwind.example", port: 443, warnings: [] };
    expect(shown).toEqual({
      suggestedName: "N",
      detectedFormat: "uri-list",
      compatibleCount: 2,
      rejectedCount: 1,
      node: [
        { ordinal: 1, name: "Node 1", ...fields, runtimeSupported: true },
        { ordinal: 3, name: "Node 3", ...fields, runtimeSupported: true },
      ],
      rejected: [{ ordinal: 2, scheme: "trojan", reason: "The password is missing." }],
      warnings: ["1 of 3 entries was rejected."],
    });
  });

  it.each<[what: string, content: Partial<ContentPart & About>, want: string[]]>([
    ["nothing", { format: undefined }, ["The subscription is empty."]],
    ["supported nodes", { nodes: sampleNodes([1]) }, []],
    ["only unsupported nodes", { nodes: unsupported }, ["The runtime supports none of the nodes."]],
    ["one rejected entry", { rejected: rejected(1) }, ["1 of 1 entry was rejected."]],
    ["only rejected entries", { rejected: rejected(1, 2) }, ["2 of 2 entries were rejected."]],
    [
      "rejected entries and unsupported nodes",
      { nodes: unsupported, rejected: rejected(2) },
      ["1 of 2 entries was rejected.", "The runtime supports none of the nodes."],
    ],
  ])("has the right warnings for %s", async (_, content, want) => {
    expect((await preview(content)).warnings).toEqual(want);
  });

  it.each<[node: Partial<ProxyNode>, supported: boolean, warnings: string[]]>([
    [{}, true, []],
    [{ checksCertificate: false }, true, ["The certificate of the server is not checked."]],
    [{ protocol: "hysteria2", transport: "udp" }, false, ["The runtime does not support hysteria2."]],
    [{ transport: "websocket" }, false, ["The runtime does not support trojan over WebSocket."]],
    [{ transport: "grpc" }, false, ["The runtime does not support trojan over gRPC."]],
    [{ security: "none" }, false, ["The runtime does not support trojan without TLS."]],
    [{ security: "reality" }, false, ["The runtime does not support trojan with REALITY."]],
    [
      { protocol: "vmess", checksCertificate: false },
      false,
      ["The runtime does not support vmess.", "The certificate of the server is not checked."],
    ],
  ])("says whether the runtime supports a node with %j: %s", async (fields, runtimeSupported, warnings) => {
    const shown = await preview({ nodes: [{ ordinal: 1, node: sampleNode(fields) }] });
    expect(shown.node).toMatchObject([{ runtimeSupported, warnings }]);
  });

  it.each([
    ["a.example", "a.example:443"],
    ["2001:db8::5", "[2001:db8::5]:443"],
  ])("names a node without a name on %s by its address", async (server, name) => {
    expect((await preview({ nodes: [{ ordinal: 1, node: sampleNode({ name: "", server }) }] })).node).toMatchObject([
      { name },
    ]);
  });
});

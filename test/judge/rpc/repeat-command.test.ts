import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { loadDaemonContract } from "../../../src/daemon/daemon-contract.js";
import { repeatCommand } from "../../../src/judge/rpc/repeat-command.js";
import { honestHandlers, serveExample } from "../../verify/rpc/example-daemon.js";

const contract = await loadDaemonContract();
const preview = { rpc: "ProxySubscriptions/PreviewImport", request: { url: "http://127.0.0.1:1/s/t0ken" } } as const;

describe("repeatCommand", () => {
  it("returns a buf curl command for a call without a URL", () => {
    const select = { rpc: "ProxySubscriptions/SelectNode", request: { id: 7 } } as const;
    const line = repeatCommand("case select-node", { contract, address: "unix:/d.sock", protocol: "grpc", ...select });
    expect(line).toMatch(/^buf curl --schema proto .+SelectNode$/);
  });

  it("returns an accord verify command for a call with a URL, with buf curl in a comment", () => {
    const address = "unix:/run/it's a.sock";
    expect(
      repeatCommand("case redact-path", { contract, address, protocol: "connect", ...preview }).split("\n"),
    ).toEqual([
      "accord verify daemon 'unix:/run/it'\\''s a.sock' --protocol connect --disposable --only 'case redact-path'",
      expect.stringMatching(/^# .+ With another URL: buf curl .+\/\*\*\*.+PreviewImport$/),
    ]);
  });

  it("names the services of a daemon that has other names for them", () => {
    const names = { package: "acme.proxy.v2", services: { MeshControlService: "Mesh" } };
    const select = { rpc: "ProxySubscriptions/SelectNode", request: { id: 7 } } as const;
    const target = { contract, address: "unix:/d.sock", protocol: "grpc", names } as const;
    expect(repeatCommand("case select-node", { ...target, ...select }).split("\n")).toEqual([
      "accord verify daemon unix:/d.sock --package acme.proxy.v2 --service MeshControlService=Mesh --disposable --only 'case select-node'",
      expect.stringMatching(
        /^# By server reflection: buf curl --protocol .+acme\.proxy\.v2\.ProxySubscriptions\/SelectNode$/,
      ),
    ]);
    const cancel = { rpc: "MeshControlService/LoginCancel", request: {} } as const;
    expect(repeatCommand("case login", { ...target, ...cancel })).toMatch(/\/acme\.proxy\.v2\.Mesh\/LoginCancel$/);
    expect(repeatCommand("case redact-path", { ...target, ...preview })).toContain(
      "With another URL and by server reflection: buf curl --protocol",
    );
  });

  it("repeats the call in a shell", async () => {
    const asked: string[] = [];
    const { previewImport, ...others } = honestHandlers();
    const target = await serveExample({
      ...others,
      previewImport: ({ url }) => {
        asked.push(url);
        throw new ConnectError(url, Code.Unavailable);
      },
    });
    const command = repeatCommand("case redact-query-value", { ...target, ...preview });
    const inCheckout = command.replace(/^accord /, "node dist/reference/cli/main.js ");
    const { code, stdout } = await promisify(execFile)("sh", ["-c", inCheckout]).catch((error) => error);
    expect({ code, stdout }).toMatchObject({ code: 1, stdout: expect.stringContaining("redaction.query-value") });
    expect(asked.filter((url) => url.endsWith("token=e3b0c44298fc1c149afbf4c8996fb924"))).not.toEqual([]);
  });
});

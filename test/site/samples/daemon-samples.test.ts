import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { fromJson, type Message, toJson } from "@bufbuild/protobuf";
import { build } from "esbuild";
import { describe, expect, it, onTestFinished } from "vitest";
import { daemonSampleOrigin, daemonSamples } from "../../../site/samples/daemon-samples.js";
import type { RpcCase } from "../../../src/contract/rpc/cases.js";
import { createDaemonServer } from "../../../src/daemon/create-daemon-server.js";
import { loadDaemonCases } from "../../../src/daemon/daemon-contract.js";
import { methodOf } from "../../../src/daemon/daemon-methods.js";
import { needing } from "../../support/needing.js";
import { useOwnTemporaryFolder } from "../../support/own-temporary-folder.js";
import { isThorough } from "../../support/thorough.js";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const run = promisify(execFile);
const { cases } = await loadDaemonCases();
/** One case of each RPC, or all: `buf curl` takes a while. */
const some = isThorough ? cases : cases.filter((one, index) => cases.findIndex(({ rpc }) => rpc === one.rpc) === index);

/** A daemon that records messages, and the samples that call it. */
async function callRecorder(called: readonly RpcCase[], language: string) {
  const recorded: unknown[] = [];
  const record = (rpc: RpcCase["rpc"]) => async (request: Message) => {
    recorded.push(toJson(methodOf(rpc).input, request));
    return {};
  };
  const server = await createDaemonServer({
    port: 0,
    handlers: {
      previewImport: record("ProxySubscriptions/PreviewImport"),
      applyImport: record("ProxySubscriptions/ApplyImport"),
      selectNode: record("ProxySubscriptions/SelectNode"),
      loginCancel: record("MeshControlService/LoginCancel"),
    },
  });
  onTestFinished(server.close);
  const [address = ""] = server.addresses;
  const codes = called.map((one) => daemonSamples(one).find((sample) => sample.language === language)?.code ?? "");
  return { recorded, codes: codes.map((code) => code.replaceAll(daemonSampleOrigin, address)) };
}

function expectCases(recorded: readonly unknown[], called: readonly RpcCase[]): void {
  const wanted = called.map(({ rpc, request }) => {
    const { input } = methodOf(rpc);
    return toJson(input, fromJson(input, request, { ignoreUnknownFields: true }));
  });
  expect(recorded).toEqual(wanted);
}

describe("the samples of the daemon's cases", () => {
  needing("bash", "curl").it("send the request of the case as JSON", async () => {
    const { recorded, codes } = await callRecorder(cases, "json");
    await run("bash", ["-euc", codes.map((code) => code.replace("curl ", "curl -sS ")).join("\n")], {
      maxBuffer: 2 ** 24,
    });
    expectCases(recorded, cases);
  });

  it("send the request of the case with the TypeScript client", async () => {
    const { recorded, codes } = await callRecorder(cases, "typescript");
    const file = join(useOwnTemporaryFolder().path, "samples.mjs");
    const functions = codes.map((code) => `async () => {\n${code.replace(/^import .*$/m, "")}\n}`);
    const contents = `import { createDaemonClient } from "${root}src/daemon/index.ts";\nconst console = { log: () => {} };\nfor (const call of [${functions.join(",\n")}]) await call();`;
    await build({
      stdin: { contents, loader: "ts", resolveDir: root },
      bundle: true,
      platform: "node",
      format: "esm",
      outfile: file,
      logLevel: "error",
      banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    });
    writeFileSync(join(file, "..", "package.json"), "{}");
    await run(process.execPath, [file]);
    expectCases(recorded, cases);
  });

  needing("bash").it("send the request of the case with buf curl", async () => {
    const { recorded, codes } = await callRecorder(some, "buf");
    const path = `${root}node_modules/.bin:${process.env.PATH}`;
    for (const code of codes) await run("bash", ["-euc", code], { cwd: root, env: { ...process.env, PATH: path } });
    expectCases(recorded, some);
  });
});

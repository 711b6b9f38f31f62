import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { needing } from "../support/needing.js";
import { runAccord } from "../support/run-accord.js";
import { startProgram } from "../support/start-program.js";
import { accordArguments, copyExample, readmeLine } from "./example-copy.js";

const { describe } = needing(
  "bash",
  "protoc",
  "go",
  "protoc-gen-go",
  "protoc-gen-go-grpc",
  "golang-google-grpc-dev",
  "golang-google-protobuf-dev",
);

const run = promisify(execFile);
const proto = fileURLToPath(new URL("../../proto", import.meta.url));

/** Builds the daemon of a folder with the commands of its README. */
async function build(folder: string): Promise<void> {
  const lines = [readmeLine("daemon-go", "mkdir", { "../../proto": proto }), readmeLine("daemon-go", "GO111MODULE")];
  await run("bash", ["-euc", lines.join("\n")], { cwd: folder });
}

/** Starts the daemon of a folder for the rest of the test. Its log goes to `daemon-go.log`. */
async function startDaemon(folder: string): Promise<string> {
  const socket = join(folder, "daemon.sock");
  const command = readmeLine("daemon-go", "./daemon-go", {
    "/tmp/daemon-go.sock": socket,
    "2> daemon-go.log": "2> >(tee daemon-go.log)",
  });
  const install = "Debian: see examples/daemon-go/README.md";
  const daemon = await startProgram({ command, shell: "bash", folder, ready: /listening on (\S+)/, install });
  onTestFinished(daemon.stop);
  return `unix:${socket}`;
}

// The first build on a machine compiles the gRPC module.
describe("the daemon in Go", () => {
  it("passes with the commands of its README", async () => {
    const { folder } = copyExample("daemon-go");
    await build(folder);
    const address = await startDaemon(folder);
    const log = join(folder, "daemon-go.log");
    const { code, stdout } = await runAccord(
      ...accordArguments("daemon-go", { "unix:/tmp/daemon-go.sock": address, "daemon-go.log": log }),
    );
    expect(stdout).toMatch(/rules that these checks can show exercised \(9\d %\)/);
    expect(stdout).toMatch(/\nPASS {2}5\d rules kept, none broken/);
    expect(code).toBe(0);
  });

  it("fails if its errors show the URL", async () => {
    const { folder, replace } = copyExample("daemon-go");
    replace("subscription.go", "target.Scheme, target.Host)", "target.Scheme, address)");
    await build(folder);
    const address = await startDaemon(folder);
    const { code, stdout } = await runAccord(
      "verify",
      "daemon",
      address,
      "--disposable",
      "--only",
      "case redact-password",
    );
    expect(stdout).toContain("redaction.password  FAIL");
    expect(code).toBe(1);
  });
});

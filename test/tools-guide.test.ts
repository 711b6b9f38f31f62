import { execFile, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { createChatReference } from "../reference/chat/create-chat-reference.js";
import { guideExample } from "./support/guide-example.js";
import { needing } from "./support/needing.js";
import { temporaryFolder } from "./support/reference-process.js";

const { describe } = needing("bash");

const run = promisify(execFile);
const root = fileURLToPath(new URL("..", import.meta.url));
const lines = (name: string) => guideExample("docs/tools.md", name).split("\n");

/** Runs a line of the guide in a shell, as a user does. */
function shell(line: string, change: (line: string) => string = (same) => same) {
  return run("bash", ["-euc", change(line)], { cwd: root, env: { ...process.env, REDOCLY_TELEMETRY: "off" } });
}

describe("docs/tools.md", () => {
  it("lints the RPC contract with Buf, and the REST contract with Redocly and the rules of this project", async () => {
    const [buf = "", lint = ""] = lines("alone");
    await expect(shell(buf)).resolves.toMatchObject({ stdout: "" });
    const { stderr } = await shell(lint);
    expect(stderr.match(/Your API descriptions are valid/g)).toHaveLength(1);
  });

  it("bundles the REST contract with Redocly, with its cases and without a warning", async () => {
    const folder = mkdtempSync(join(tmpdir(), "accord-tools-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const { stderr } = await shell(lines("alone")[2] ?? "", (line) => line.replace("chat.yaml", `${folder}/chat.yaml`));
    expect(stderr).not.toContain("problem");
    const generated = readFileSync(join(root, "generated/chat/openapi.yaml"), "utf8");
    expect(generated).toContain("unknown_channel:");
    expect(readFileSync(join(folder, "chat.yaml"), "utf8")).toContain("unknown_channel:");
  });

  it("serves the contract with Prism", async () => {
    const folder = temporaryFolder();
    onTestFinished(() => folder[Symbol.dispose]());
    const [write = "", line = ""] = lines("prism").map((one) =>
      one
        .replace("npx --no-install accord", "node dist/reference/cli/main.js")
        .replace("chat.prism.yaml", folder.inside("chat.prism.yaml")),
    );
    await shell(write);
    const prism = spawn("bash", ["-euc", `exec ${line} --port 0`], { cwd: root, detached: true });
    onTestFinished(() => void process.kill(-(prism.pid ?? 0), "SIGKILL"));
    const url = await new Promise<string>((resolve, reject) => {
      let text = "";
      const read = (piece: Buffer) => {
        text += piece;
        const [, found] = /listening on (http:\S+)/.exec(text) ?? [];
        if (found !== undefined) resolve(found);
      };
      prism.stdout.on("data", read);
      prism.once("exit", () => reject(new Error(`ended after writing ${text}`)));
    });
    const answer = await fetch(`${url}/api/v1/users/me/subscriptions`, {
      method: "DELETE",
      headers: { Authorization: `Basic ${btoa("me@example.com:key")}`, Prefer: "code=400, example=unknown_channel" },
      body: new URLSearchParams({ subscriptions: '["nordic folk dance"]' }),
    });
    expect(await answer.json()).toMatchObject({ code: "STREAM_DOES_NOT_EXIST" });
  });

  it("writes the workflows of a feature level for Respect", async () => {
    const folder = mkdtempSync(join(tmpdir(), "accord-tools-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const server = await createChatReference({ states: true, featureLevel: 168 });
    onTestFinished(() => server.close());
    const [write = "", respect = ""] = lines("arazzo").map((line) =>
      line
        // npm links the package into a folder that it shares with other checkouts.
        .replace("npx --no-install accord", "node dist/reference/cli/main.js")
        .replace("300", "168")
        .replace(/(?<= )workflows/, folder)
        .replaceAll("http://127.0.0.1:4011", server.url),
    );
    await shell(write);
    const { stdout } = await shell(respect.replace("*", "topics"));
    expect(stdout).toContain("topics-mute-once");
    expect(stdout).toMatch(/Workflows: (\d+) passed, \1 total/);
  });
});

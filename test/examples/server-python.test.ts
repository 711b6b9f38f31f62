import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { runAccord } from "../cli/run-accord.js";
import { examples, readmeCommand } from "./readme-command.js";
import { startProgram } from "./start-program.js";

const source = join(examples, "server-python");

/** Starts the server of a folder for the rest of the test. */
async function startServer(folder: string) {
  const server = await startProgram({
    command: "/usr/bin/python3",
    args: ["-B", "server.py", "0"],
    folder,
    ready: /Running on (http:\S+)/,
    install: "Debian: apt-get install python3-flask",
  });
  onTestFinished(server.stop);
  return server.address;
}

/** Copies the server and changes its code. Throws if the code to replace is missing. */
function changedServer(from: string, to: string): string {
  const folder = mkdtempSync(join(tmpdir(), "accord-server-python-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  cpSync(source, folder, { recursive: true });
  const code = readFileSync(join(folder, "server.py"), "utf8");
  if (!code.includes(from)) throw new Error(`server.py has no ${from}`);
  writeFileSync(join(folder, "server.py"), code.replace(from, to));
  return folder;
}

describe("the chat server in Python", { timeout: 120_000 }, () => {
  it("passes with the command of its README", async () => {
    const address = await startServer(source);
    const list = join(source, "known-failing.yaml");
    const command = readmeCommand("server-python", { "http://127.0.0.1:4014": address, "known-failing.yaml": list });
    const { code, stdout } = await runAccord(...command);
    expect(stdout).toMatch(/, 1 skipped, 2 known to fail\n {2}1 skipped: [\s\S]*status 501/);
    expect(stdout).toMatch(/rules that these checks can show exercised \(9\d %\)/);
    expect(stdout).toMatch(/\nPASS /);
    expect(code).toBe(0);
  });

  it("fails if it lets everyone unsubscribe others", async () => {
    const address = await startServer(changedServer(" or g.caller.is_administrator or ", " or True or "));
    const { code, stdout } = await runAccord(
      ...["verify", "chat", `${address}/api/v1`, "--states", `${address}/states`, "--feature-level", "415"],
      ...["--only", "case unsubscribe"],
    );
    expect(stdout).toContain("subscriptions.remove.others-refused  FAIL");
    expect(code).toBe(1);
  });
});

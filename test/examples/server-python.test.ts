import { expect, it, onTestFinished } from "vitest";
import { needing } from "../support/needing.js";
import { runAccord } from "../support/run-accord.js";
import { startProgram } from "../support/start-program.js";
import { stableText } from "../verify/day-one/report-text.js";
import { accordArguments, copyExample, readmeLine } from "./example-copy.js";

const { describe } = needing("bash", "python3-flask");

/** Starts the server of a folder for the rest of the test. */
async function startServer(folder: string): Promise<string> {
  const server = await startProgram({
    command: readmeLine("server-python", "/usr/bin/python3 server.py", { 4014: "0" }),
    folder,
    ready: /Running on (http:\S+)/,
    install: "Debian: apt-get install python3-flask",
  });
  onTestFinished(server.stop);
  return server.address;
}

describe("the chat server in Python", () => {
  it("passes with the command of its README", async () => {
    const { folder } = copyExample("server-python");
    const address = await startServer(folder);
    const { code, stdout } = await runAccord(
      ...accordArguments(
        "server-python",
        { "http://127.0.0.1:4014": address, "known-failing.yaml": `${folder}/known-failing.yaml` },
        "## A server with four operations",
      ),
    );
    expect(code).toBe(0);
    await expect(stableText(stdout, address)).toMatchFileSnapshot("../verify/day-one/reports/server-in-python.txt");
  });

  it("fails if it lets everyone unsubscribe others", async () => {
    const { folder, replace } = copyExample("server-python");
    replace("server.py", " or g.caller.is_administrator or ", " or True or ");
    const address = await startServer(folder);
    const { code, stdout } = await runAccord(
      ...["verify", "chat", `${address}/api/v1`, "--states", `${address}/states`, "--feature-level", "415"],
      ...["--only", "case unsubscribe"],
    );
    expect(stdout).toContain("subscriptions.remove.others-refused  FAIL");
    expect(code).toBe(1);
  });
});

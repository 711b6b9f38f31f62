import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { newestLevel } from "../../generated/chat/request-levels.js";
import { caseRequest } from "../../src/chat/cases/case-request.js";
import { setUpCase } from "../../src/chat/cases/case-setup.js";
import { loadContract } from "../../src/chat/contract.js";
import { casesAtLevel } from "../../src/contract/rest/level/cases-at-level.js";
import { createStatesClient } from "../../src/verify/states/states-client.js";
import { freePort } from "../bench/free-port.js";
import { startFaultProxy } from "./chat/create-fault-proxy.js";
import { createBaselines, type Subject, type Tool } from "./tool.js";

const contract = fileURLToPath(new URL("../../generated/chat/openapi.yaml", import.meta.url));

interface Violation {
  readonly location: readonly string[];
  readonly message: string;
}

/** `prism proxy`: sends the cases of the contract through the proxy, which reports how each response violates the contract. */
export async function createPrismProxy(): Promise<Tool> {
  const cases = casesAtLevel(await loadContract(), newestLevel);

  async function find({ behaviour, reference, operations }: Subject): Promise<string[]> {
    const server = await startFaultProxy(reference.url, behaviour);
    let prism: Prism | undefined;
    try {
      prism = await startPrism(`${server.url}/api/v1`);
      const states = createStatesClient(server.statesUrl);
      const found: string[] = [];
      for (const one of cases.filter(({ operationId }) => operations.some((id) => id === operationId))) {
        const setup = await setUpCase(one, states);
        const { method, url, headers, bytes } = await caseRequest(setup.testCase, prism.url, setup.credentials);
        const body = method === "GET" ? {} : { body: new Uint8Array(bytes) };
        const response = await fetch(url, { method, headers, ...body }).catch(() => undefined);
        await response?.arrayBuffer().catch(() => undefined);
        const name = `${one.operationId}/${one.name}`;
        if (response === undefined) found.push(`${name}: no response`);
        else found.push(...violationsOf(response.headers).map((message) => `${name}: ${message}`));
      }
      return found;
    } finally {
      await prism?.close();
      await server.close();
    }
  }

  const baselineOf = createBaselines(find);
  return {
    name: "prism proxy",
    report: async (subject) => {
      const baseline = new Set(await baselineOf(subject));
      return (await find(subject)).filter((one) => !baseline.has(one));
    },
    close: async () => {},
  };
}

/** The violations that the response has. Prism reports missing credentials even with request validation off. */
function violationsOf(headers: Headers): string[] {
  const violations: Violation[] = JSON.parse(headers.get("sl-violations") ?? "[]");
  return violations.filter(({ location }) => location[0] === "response").map(({ message }) => message);
}

/** A proxy in a separate process. */
interface Prism {
  readonly url: string;
  readonly close: () => Promise<void>;
}

async function startPrism(upstream: string): Promise<Prism> {
  const script = createRequire(import.meta.url).resolve("@stoplight/prism-cli/dist/index.js");
  const port = await freePort();
  const args = ["proxy", contract, upstream, "--port", String(port), "--validate-request", "false", "-v", "silent"];
  const child = spawn(process.execPath, [script, ...args], { stdio: "ignore" });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const url = `http://127.0.0.1:${port}`;
  const close = async () => {
    child.kill("SIGKILL");
    await ended;
  };
  try {
    for (let attempt = 0; ; attempt++) {
      const answer = await fetch(`${url}/no-such-path`).catch(() => undefined);
      await answer?.arrayBuffer();
      if (answer !== undefined) return { url, close };
      if (attempt > 1200 || child.exitCode !== null) throw new Error("prism proxy did not start");
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  } catch (error) {
    await close();
    throw error;
  }
}

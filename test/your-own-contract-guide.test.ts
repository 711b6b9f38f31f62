import { execFile, execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { findContract } from "../src/contract/project/read-project.js";
import { loadOpenApi } from "../src/contract/rest/load-openapi.js";
import { listAllRules } from "../src/contract/rest/rules.js";
import { addRules } from "../src/contract/rest/rules-file.js";
import { guideExample } from "./support/guide-example.js";
import { makeFolder, shop, write } from "./support/museum.js";
import { needing } from "./support/needing.js";
import { runAccordIn } from "./support/run-accord.js";
import { startProgram } from "./support/start-program.js";

const guide = "docs/your-own-contract.md";
const root = fileURLToPath(new URL("..", import.meta.url));
const text = readFileSync(join(root, guide), "utf8");
const { describe } = needing("bash", "curl");

/** Makes a folder with the document of the guide, in which `npx --no-install accord` is the built command. */
function makeProject(files: Readonly<Record<string, string | object>> = {}) {
  const folder = makeFolder({ "openapi.yaml": guideExample(guide, "openapi.yaml"), ...files });
  const bin = join(folder, "node_modules/.bin");
  mkdirSync(bin, { recursive: true });
  const cli = join(root, "dist/reference/cli/main.js");
  writeFileSync(join(bin, "accord"), `#!/bin/sh\nexec '${process.execPath}' '${cli}' "$@"\n`);
  chmodSync(join(bin, "accord"), 0o755);
  symlinkSync(root, join(folder, "node_modules/accord-contracts"));
  const run = (example: string) => promisify(execFile)("bash", ["-euc", guideExample(guide, example)], { cwd: folder });
  // npx would take most of the time, and outlive its own end.
  const command = (example: string) =>
    guideExample(guide, example).replaceAll("npx --no-install ", "node_modules/.bin/");
  /** Runs a command, with the URLs of this machine instead of those of the guide. Resolves also if it fails. */
  const runAt = async (example: string, urls: Readonly<Record<string, string>>) => {
    const line = Object.entries(urls).reduce((all, [written, url]) => all.replaceAll(written, url), command(example));
    const running = promisify(execFile)("bash", ["-euc", line], { cwd: folder });
    return running.catch((error: { stdout: string; stderr: string }) => error);
  };
  const start = async (line: string, ready: RegExp) => {
    const program = await startProgram({ command: line, folder, ready, install: "It needs Node and a built package." });
    onTestFinished(program.stop);
    return program;
  };
  const replace = (file: string, before: string, after: string) => {
    const content = readFileSync(join(folder, file), "utf8");
    expect(content).toContain(before);
    write(folder, { [file]: content.replace(before, () => after) });
  };
  return { folder, command, run, runAt, start, replace };
}

/** Returns the output in the guide that begins with this text. */
function shownOutput(start: string): string {
  const found = text.split("\n```").find((block) => block.startsWith(`\n${start}`));
  if (found === undefined) throw new Error(`${guide} shows no output that begins with ${start}`);
  return found.slice(1);
}

/** The text without its numbers, which change with the probes that are derived. */
function withoutNumbers(output: string): string {
  return output.replaceAll(/\d+/g, "N");
}

describe("docs/your-own-contract.md", () => {
  it("leads from a document to a project without mistakes, with generated types", async () => {
    const { folder, run } = makeProject();
    expect((await run("init")).stdout).toMatch(
      /^wrote accord\.yaml\nwrote rules\.yaml\nmuseum: 2 operations\. Next:\n/,
    );
    const { stdout } = await run("lint");
    expect(stdout).toBe("museum: no errors, no warnings\n");
    expect(text).toContain(stdout);
    expect((await run("generate")).stdout).toBe("wrote 6 files into generated/museum\n");
    write(folder, { "rules.yaml": guideExample(guide, "rules.yaml") });
    expect((await run("lint")).stdout).toBe("museum: no errors, no warnings\n");
  });

  it("leads from a mock to a check in code, each with the output that it shows", { timeout: 300_000 }, async () => {
    const { folder, command, run, runAt, start, replace } = makeProject();
    await run("init");
    const mock = await start(`${command("mock")} --port 0`, /museum mock +(http:\S+)\n/);
    const called = await runAt("call", { "http://127.0.0.1:4010/v1": mock.address });
    expect(called.stdout).toBe(shownOutput('[{"id":1').trimEnd());
    await mock.stop();

    write(folder, { "server.mjs": guideExample(guide, "server.mjs") });
    const serve = () => start("env PORT=0 node server.mjs", /(http:\S+)\n/);
    const verify = (example: string, url: string) => runAt(example, { "http://127.0.0.1:8080/v1": url });
    const wrong = await serve();
    expect((await verify("verify", wrong.address)).stdout).toContain(shownOutput("operations "));
    expect((await verify("account", wrong.address)).stdout).toContain(shownOutput("listArtworks.response"));
    await wrong.stop();
    replace("server.mjs", 'id: "1"', "id: 1");
    const right = await serve();
    const { stdout } = await verify("account", right.address);
    expect(withoutNumbers(stdout)).toContain(withoutNumbers(shownOutput("PARTIAL ")));

    write(folder, { "rules.yaml": guideExample(guide, "rules.yaml") });
    expect((await verify("account", right.address)).stdout).toMatch(/^listArtworks +partial +4 +4 +5 /m);
    const [parameter = ""] = /^ +- \{name: artist.*$/m.exec(guideExample(guide, "openapi.yaml")) ?? [];
    const [example = ""] = /^ +example: \[.*$/m.exec(guideExample(guide, "openapi.yaml")) ?? [];
    replace("openapi.yaml", parameter, guideExample(guide, "parameter"));
    replace("openapi.yaml", example, guideExample(guide, "case"));
    expect((await verify("account", right.address)).stdout).toMatch(/^listArtworks +partial +5 +5 +6 /m);
    await right.stop();

    write(folder, {
      "states.yaml": guideExample(guide, "states.yaml"),
      "states.mjs": guideExample(guide, "states.mjs"),
      "accord.yaml": guideExample(guide, "caller"),
    });
    const [given = ""] = /^ +x-case: .*$/m.exec(guideExample(guide, "case")) ?? [];
    replace("openapi.yaml", given, guideExample(guide, "given"));
    const serveStates = async () => {
      const { address, stop } = await start("env PORT=0 STATES_PORT=0 node states.mjs", /((?:http:\S+\n){2})/);
      const [url = "", statesUrl = ""] = address.split("\n").sort((one) => (one.endsWith("/v1") ? -1 : 1));
      const urls = { "http://127.0.0.1:8080/v1": url, "http://127.0.0.1:8081/states": statesUrl };
      return { stop, verify: async () => (await runAt("states", urls)).stdout };
    };
    const states = await serveStates();
    const deviating = await states.verify();
    expect(deviating).toContain(shownOutput("replaceArtwork.request"));
    expect(deviating).toMatch(/^PASS /m);

    write(folder, { "behaviour/artworks.yaml": guideExample(guide, "workflow") });
    const withWorkflow = await states.verify();
    expect(withWorkflow).toMatch(/^errors +1 +- +- +- +-$/m);
    expect(withWorkflow).toMatch(/^replaceArtwork +5 +- +1 +- +-$/m);

    write(folder, { "checks/newest-first.js": guideExample(guide, "check") });
    expect(await states.verify()).toContain(shownOutput("listArtworks.newest-first"));
    await states.stop();
    replace("server.mjs", '.get("artist")))', '.get("artist"))).toReversed()');
    const mended = await serveStates();
    expect(await mended.verify()).toMatch(/^PASS .* none broken/m);
    expect((await run("lint")).stdout).toBe("museum: no errors, no warnings\n");
  });

  it("leads to a typed client and server that the compiler checks", { timeout: 120_000 }, async () => {
    const sources = ["museum.ts", "visit.ts"];
    const texts = Object.fromEntries(sources.map((name) => [name, guideExample(guide, name)]));
    const { folder, run, start } = makeProject({ "package.json": { type: "module" }, ...texts });
    for (const name of ["@types", "fastify"])
      symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name));
    await run("init");
    await run("generate");
    const options = ["--ignoreConfig", "--strict", "--skipLibCheck", "--module", "nodenext", "--target", "es2022"];
    const compiler = [join(root, "node_modules/typescript-7/bin/tsc"), ...options, "--types", "node", ...sources];
    const compiled = promisify(execFile)(process.execPath, compiler, { cwd: folder });
    expect(await compiled.catch(({ stdout }: { stdout: string }) => stdout)).toMatchObject({ stdout: "" });
    const museum = await start("node museum.js", /(http:\S+)\n/);
    const visited = await promisify(execFile)(process.execPath, ["visit.js", museum.address], { cwd: folder });
    expect(visited.stdout).toBe("Poplars\n");
    const judged = await runAccordIn(folder, "verify", "museum", museum.address, "--account", "letmein");
    expect(judged.stdout).toMatch(/rules kept, none broken/);
  });

  it("leads from a folder of .proto files to a verdict about a mock", async () => {
    const { folder, command, run, runAt, start } = makeProject();
    write(folder, { "proto/shop/v1/shop.proto": guideExample(guide, "shop.proto") });
    expect((await run("init proto")).stdout).toMatch(
      /^wrote accord\.yaml\nwrote proto\/cases\/shop\.yaml\nshop: 1 RPC\./,
    );
    const mock = await start(`${command("mock proto")} --port 0`, /shop mock +(http:\S+)\n/);
    const { stdout } = await runAt("verify proto", { "http://127.0.0.1:4020": mock.address });
    expect(stdout).toContain(shownOutput("rules "));
    expect(stdout).toMatch(/^PASS /m);
  });

  it("says what a change breaks", async () => {
    const { folder, run, runAt, replace } = makeProject();
    const git = (...args: string[]) => execFileSync("git", args, { cwd: folder, stdio: "ignore" });
    await run("init");
    git("init");
    git("add", "openapi.yaml", "accord.yaml", "rules.yaml");
    git("-c", "user.name=A", "-c", "user.email=a@museum.example", "commit", "--no-gpg-sign", "--message", "First");
    git("update-ref", "refs/remotes/origin/main", "HEAD");
    const [put = ""] =
      /^ {2}\/artworks\/\{id\}:\n[\s\S]*?(?=^components)/m.exec(guideExample(guide, "openapi.yaml")) ?? [];
    replace("openapi.yaml", put, "");
    expect((await runAt("breaking", {})).stdout.trimEnd()).toBe(shownOutput("major: ").trimEnd());
  });

  it("shows an accord.yaml and rules that can be read", async () => {
    const { folder } = makeProject({
      "accord.yaml": guideExample(guide, "accord.yaml"),
      "rules.yaml": guideExample(guide, "rules.yaml"),
      "proto/shop.proto": shop,
    });
    const museum = findContract("museum", join(folder, "accord.yaml"));
    expect(museum).toMatchObject({ kind: "rest", conventions: { caller: "visitor", error: { code: "/code" } } });
    const { document, problems } = addRules(
      await loadOpenApi(join(folder, "openapi.yaml")),
      join(folder, "rules.yaml"),
    );
    expect(problems).toEqual([]);
    expect(listAllRules(document).map(({ id }) => id)).toEqual([
      "errors.have-a-code",
      "listArtworks.by-artist",
      "listArtworks.newest-first",
      "replaceArtwork.replaces",
    ]);
  });

  it("names every key of accord.yaml", () => {
    const { $defs } = JSON.parse(readFileSync(join(root, "openapi/accord.schema.json"), "utf8"));
    const { error, level, credentials, ...others } = $defs.rest.properties;
    const keys = [error, level, credentials].flatMap((one) => Object.keys(one.properties)).concat(Object.keys(others));
    expect(keys.filter((key) => !new RegExp(`\\b${key}\\b`).test(text))).toEqual([]);
  });
});

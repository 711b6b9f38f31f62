import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { captureOutput } from "../../scripts/capture-output.js";
import { listen } from "../../src/base/listen.js";
import { startLibrary } from "../contracts/library/server.js";
import { guideExample } from "../support/guide-example.js";
import { needing } from "../support/needing.js";
import { startProgram } from "../support/start-program.js";
import { isThorough } from "../support/thorough.js";
import { installPackage } from "./installed-package.js";

// Making a release takes tar.
const { describe } = needing("tar");

const run = promisify(execFile);
const versions = /^accord-contracts \d+\.\d+\.\d+\nchat contract \d+\.\d+\.\d+\ndaemon contract \d+\.\d+\.\d+\n$/;
const root = fileURLToPath(new URL("../..", import.meta.url));
const { folder, tarball, release, accord, start, node, without } = installPackage();

/** Makes the folder one that has the document of the guide, until the test ends. */
function makeMuseum(): void {
  writeFileSync(join(folder, "openapi.yaml"), guideExample("docs/your-own-contract.md", "openapi.yaml"));
  onTestFinished(() => {
    for (const name of ["openapi.yaml", "rules.yaml", "accord.yaml", "server.mjs"])
      rmSync(join(folder, name), { force: true });
  });
}

/** Serves the chat reference of the installed package. */
async function serveChat() {
  const args = "serve chat --port 0 --states --demo --log-level error";
  const { address, end } = await start(args, /chat states +(\S+)\n[\s\S]*user_uploads\n/);
  return { api: address.replace(/states$/, "api/v1"), states: address, end };
}

describe("npm run release -- --dry-run", () => {
  it("writes every file of a release", () => {
    expect(release).toEqual(
      expect.arrayContaining([
        "daemon.binpb",
        "notes.md",
        "openapi-level-0.yaml",
        "openapi-level-300.yaml",
        "openapi.yaml",
        "report.schema.json",
        "sbom.cdx.json",
        "workflows.tar.gz",
      ]),
    );
  });
});

describe("the packed package", () => {
  it("installs no tool for users who only need a client", () => {
    const installed = readdirSync(join(folder, "node_modules")).flatMap((name) =>
      name.startsWith("@")
        ? readdirSync(join(folder, "node_modules", name)).map((child) => `${name}/${child}`)
        : [name],
    );
    expect(installed).toContain("accord-contracts");
    expect(
      installed.filter((name) => /stoplight|dredd|redocly\/cli|biome|vitest|bufbuild\/buf$|esbuild/.test(name)),
    ).toEqual([]);
  });

  it("imports every sub-path", async () => {
    const { stdout } = await node(`
      import { readFileSync } from "node:fs";
      import { createRequire } from "node:module";
      const { createChatClient, supports } = await import("accord-contracts/chat");
      const { createFetchHandler } = await import("accord-contracts/chat/server");
      const { chatPlugin } = await import("accord-contracts/chat/server/fastify");
      const { createDaemonClient } = await import("accord-contracts/daemon");
      const { createChatMock, createDaemonMock } = await import("accord-contracts/mock");
      const { verify, contractOf } = await import("accord-contracts/verify");
      const runtime = await Promise.all(["client", "fastify", "rpc", "server"].map((part) => import("accord-contracts/runtime/" + part)));
      const { createClient, fastifyPlugin, createRpcClient, createDocumentService } = Object.assign({}, ...runtime);
      const require = createRequire(process.cwd() + "/x.js");
      const read = (path) => readFileSync(require.resolve("accord-contracts/" + path), "utf8");
      console.log([createChatClient, supports, createFetchHandler, chatPlugin, createDaemonClient, createChatMock, createDaemonMock, verify, contractOf, createClient, fastifyPlugin, createRpcClient, createDocumentService].map((f) => typeof f).join());
      console.log(read("openapi.yaml").includes("openapi: 3.1"), read("openapi/states.yaml").includes("x-states:"));
      console.log(read("openapi.generators.yaml").includes("openapi: 3.0"), read("proto/proxydaemon/v1/proxy_subscriptions.proto").includes("service ProxySubscriptions"));
    `);
    expect(stdout).toBe(`${Array(13).fill("function").join()}\ntrue true\ntrue true\n`);
  });

  it("names the modules to import instead of its main module", async () => {
    const inside = JSON.parse(readFileSync(join(folder, "node_modules/accord-contracts/package.json"), "utf8"));
    const modules = Object.keys(inside.exports).filter((path) => /^\.\/[a-z/]+$/.test(path));
    for (const start of [
      ["--input-type=module", "--eval", 'await import("accord-contracts")'],
      ["-p", 'require("accord-contracts")'],
    ]) {
      const { stderr } = await run(process.execPath, start, { cwd: folder }).catch(
        (error: { stderr: string }) => error,
      );
      expect(stderr).toMatch(/accord-contracts has no main module\. Import /);
      for (const path of modules) expect(stderr).toContain(path.replace(".", "accord-contracts"));
    }
  });

  it("loads with require", async () => {
    const { stdout } = await run(process.execPath, ["-p", 'typeof require("accord-contracts/chat").createChatClient'], {
      cwd: folder,
    });
    expect(stdout).toBe("function\n");
  });

  it("compiles in CommonJS files as docs/install.md says", async () => {
    const files = ["import.cts", "await.cts"].map((name) => join(folder, name));
    writeFileSync(files[0] ?? "", 'import { supports } from "accord-contracts/chat";\nsupports(1, "users.mute");\n');
    writeFileSync(files[1] ?? "", guideExample("docs/install.md", "node16"));
    const tsc = join(root, "node_modules/typescript-7/bin/tsc");
    const options = [
      "--ignoreConfig",
      "--noEmit",
      "--strict",
      "--target",
      "es2022",
      "--lib",
      "es2022,dom,dom.iterable",
    ];
    const compile = (module: string) =>
      run(process.execPath, [tsc, ...options, "--module", module, ...files], { cwd: folder });
    await expect(compile("nodenext")).resolves.toMatchObject({ stdout: "" });
    await expect(compile("node16")).rejects.toMatchObject({
      stdout: expect.stringMatching(/^import\.cts\(1,.* error TS1479: .*\n$/),
    });
  });

  it("does not export internal modules", async () => {
    await expect(node('await import("accord-contracts/dist/src/request/encode.js")')).rejects.toThrow(
      "ERR_PACKAGE_PATH_NOT_EXPORTED",
    );
  });

  it.each(["nodenext", "bundler"])("compiles in a project with module resolution %s", async (resolution) => {
    const project = join(folder, resolution);
    mkdirSync(project);
    writeFileSync(
      join(project, "consumer.ts"),
      `import { createChatClient, isApiError, supports } from "accord-contracts/chat";
       import { createDaemonClient } from "accord-contracts/daemon";
       const chat = createChatClient({ baseUrl: "http://127.0.0.1:1" });
       const result = await chat.unsubscribe({ subscriptions: ["a"] });
       if (result.status === 400 && result.error.code === "STREAM_DOES_NOT_EXIST") result.error.stream satisfies string;
       if (result.ok) result.data.removed satisfies string[];
       // @ts-expect-error channel names are strings
       void chat.unsubscribe({ subscriptions: [1] });
       supports(300, "messages.edit.prev_content_sha256") satisfies boolean;
       isApiError(new Error("x"), "BAD_REQUEST") satisfies boolean;
       const daemon = createDaemonClient({ address: "http://127.0.0.1:1" });
       (await daemon.proxySubscriptions.selectNode({ id: 1 })).selectedOrdinal satisfies number;`,
    );
    const module = resolution === "nodenext" ? "nodenext" : "esnext";
    const options = [
      "--noEmit",
      "--strict",
      "--target",
      "es2022",
      "--lib",
      "es2022,dom,dom.iterable",
      "--skipLibCheck",
      "false",
    ];
    // With each module resolution, one of the compilers that users have: 5.9 and the native one.
    const tsc = join(root, "node_modules", resolution === "nodenext" ? "typescript" : "typescript-7", "bin/tsc");
    await expect(
      run(
        process.execPath,
        [tsc, ...options, "--module", module, "--moduleResolution", resolution, join(project, "consumer.ts")],
        { cwd: folder },
      ),
    ).resolves.toMatchObject({ stderr: "" });
  });

  it("provides its command in a checkout too", async () => {
    // Otherwise npx runs the script `prepare` of the checkout first, which rebuilds the `dist` that other tests are running.
    const env = {
      ...process.env,
      npm_config_ignore_scripts: "true",
      npm_config_cache: join(folder, "npm-cache"),
    };
    const { stdout } = await run("npx", ["--no-install", "accord", "--version"], { cwd: root, env });
    expect(stdout).toMatch(versions);
  });

  it("serves a mock, and prints its version and contract", async () => {
    expect((await accord("--version")).stdout).toMatch(versions);
    expect((await accord("spec", "chat", "--feature-level", "300")).stdout).toContain("openapi: 3.1");
    const { address: url, end } = await start("mock daemon --port 0", /daemon mock +(http:\S+)\n/);
    const headers = { "Content-Type": "application/json" };
    const answer = await fetch(`${url}/proxydaemon.v1.ProxySubscriptions/SelectNode`, {
      method: "POST",
      headers,
      body: '{"id":7,"selectedOrdinal":2}',
    });
    expect(answer.status).toBe(200);
    expect(await end()).toBe(0);
  });

  it("serves the reference servers, and names missing packages", async () => {
    const { api, states, end } = await serveChat();
    const setup = { method: "POST", body: JSON.stringify({ state: "organization", action: "setup" }) };
    const { credentials } = (await (await fetch(states, setup)).json()) as {
      credentials: { member: { email: string; api_key: string } };
    };
    const { email, api_key } = credentials.member;
    const answer = await fetch(`${api}/reminders`, {
      method: "POST",
      headers: { Authorization: `Basic ${btoa(`${email}:${api_key}`)}` },
      body: new URLSearchParams({ note: "Feed the raven" }),
    });
    expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ result: "success" })]);
    expect(await end()).toBe(0);

    using _ = without("kysely");
    expect(await accord("serve", "chat", "--port", "0")).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /^accord: The chat server needs packages that are not installed, such as kysely\. .*npm install .*kysely@.*libsql@.*\n$/,
      ),
    });
    expect((await accord("serve", "chat", "--help")).stdout).toContain("--states");
  });

  it("serves the reference daemon, which reads subscriptions on its threads", async () => {
    const link = "trojan://s3cret@fra1.northwind.example:443#fra1";
    const subscription = await listen(createServer((_, response) => response.end(link)));
    onTestFinished(subscription.close);
    const args = `serve daemon --socket ${join(folder, "daemon.sock")} --port 0 --allow-private`;
    const { address: url } = await start(args, /daemon +(http:\S+)\n/);
    const answer = await fetch(`${url}/proxydaemon.v1.ProxySubscriptions/PreviewImport`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ url: subscription.url }),
    });
    expect(await answer.json()).toMatchObject({ detectedFormat: "uri-list", compatibleCount: 1 });

    using _ = without("js-yaml");
    expect(await accord("serve", "daemon", "--socket", join(folder, "other.sock"))).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/such as js-yaml/),
    });
  });

  it("verifies a server without further tools, and names missing packages", async () => {
    const { api, states, end } = await serveChat();
    const verify = (...options: string[]) => accord("verify", "chat", api, "--states", states, ...options);
    expect(await verify("--only", "probe muteUser/random")).toMatchObject({ code: 0 });
    {
      using _ = without("fast-check");
      const json = join(folder, "report.json");
      await verify("--only", "probe muteUser/random", "--json", json);
      expect(readFileSync(json, "utf8")).toContain("npm install --save-dev fast-check");
    }

    {
      using _ = without("ajv");
      expect(await verify("--feature-level", "300", "--only", "probe muteUser")).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/^accord: .*Ajv, .* npm install --save-dev ajv /),
      });
    }
    const some = ["--only", "case muteUser/own_user", "--only", "workflow subscriptions-remove-twice"];
    const { code, stdout } = await verify(...some);
    expect(stdout).toMatch(/\nPASS {2}\d+ rules kept, none broken/);
    expect(code).toBe(0);
    expect(await end()).toBe(0);
  });

  it("leads from an OpenAPI document in an empty folder to verdicts", async () => {
    makeMuseum();
    expect(await accord("init", "openapi.yaml")).toMatchObject({ code: 0, stderr: "" });
    expect(await accord("lint")).toMatchObject({ code: 0, stdout: "museum: no errors, no warnings\n" });
    // The server of the guide returns ids as texts.
    const wrong = guideExample("docs/your-own-contract.md", "server.mjs");
    for (const [code, server, verdict] of [
      [1, wrong, /\nlistArtworks\.response {2}FAIL\n[\s\S]*\nFAIL /],
      [0, wrong.replace('id: "1"', "id: 1"), /\nPARTIAL {2}4 rules kept, none broken/],
    ] as const) {
      writeFileSync(join(folder, "server.mjs"), server);
      const command = `env PORT=0 ${process.execPath} server.mjs`;
      const { address, stop } = await startProgram({ command, folder, ready: /(http:\S+)\n/, install: "npm ci" });
      onTestFinished(stop);
      expect(await accord("verify", "museum", address, "--account", "letmein")).toMatchObject({
        code,
        stdout: expect.stringMatching(verdict),
      });
    }
  });

  it("leads from a folder of .proto files to verdicts, once Buf is installed", async () => {
    cpSync(join(root, "test/contracts/library/proto"), join(folder, "proto"), { recursive: true });
    // The package, and the one with the program for this platform.
    const packages = readdirSync(join(root, "node_modules/@bufbuild")).filter((name) => /^buf(?:-|$)/.test(name));
    const links = packages.map((name) => `node_modules/@bufbuild/${name}`);
    onTestFinished(() => {
      for (const made of ["proto", "accord.yaml", ...links])
        rmSync(join(folder, made), { recursive: true, force: true });
    });
    expect(await accord("init", "proto")).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/needs @bufbuild\/buf\. Install with: npm install --save-dev @bufbuild\/buf@1/),
    });
    for (const link of links) symlinkSync(join(root, link), join(folder, link));
    expect(await accord("init", "proto")).toMatchObject({ code: 0, stderr: "" });
    expect(await accord("lint")).toMatchObject({ code: 0, stdout: "library: no errors, no warnings\n" });
    for (const [code, fault, verdict] of [
      [0, undefined, /\nPASS {2}\d+ rules kept, none broken/],
      [1, "get-first", /\nget-book\.id {2}FAIL\n/],
    ] as const) {
      const { url, close } = await startLibrary(fault);
      onTestFinished(close);
      expect(await accord("verify", "library", url, "--disposable")).toMatchObject({
        code,
        stdout: expect.stringMatching(verdict),
      });
    }
  });

  it("names the packages that the commands for a project need", async () => {
    makeMuseum();
    expect(await accord("init")).toMatchObject({ code: 0, stderr: "" });
    const author = ["-c", "user.name=Author", "-c", "user.email=author@example.com"];
    await run("git", ["init", "--quiet"], { cwd: folder });
    await run("git", ["add", "openapi.yaml", "accord.yaml", "rules.yaml"], { cwd: folder });
    await run("git", [...author, "commit", "--quiet", "--message", "Add the museum"], { cwd: folder });
    onTestFinished(() => rmSync(join(folder, ".git"), { recursive: true }));
    expect(await accord("breaking", "museum", "--against", "HEAD")).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/needs @redocly\/cli\. Install with: npm install --save-dev @redocly\/cli@2/),
    });
    expect(await accord("lint")).toMatchObject({ code: 0, stdout: "museum: no errors, no warnings\n" });
    expect(await accord("generate")).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /needs openapi-typescript and typescript\. Install .* openapi-typescript@7 typescript@5\n/,
      ),
    });
    expect(await accord("lint", "daemon")).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/needs @bufbuild\/buf\. Install with: npm install --save-dev @bufbuild\/buf@1/),
    });
    using _ = without("@redocly");
    expect(await accord("lint")).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^accord: OpenAPI needs @redocly\/openapi-core\. Install with: npm install /),
    });
  });

  it("runs Dredd with the settings and hooks of the package", async () => {
    const { states, end } = await serveChat();
    const settings = readFileSync(join(folder, "node_modules/accord-contracts/examples/dredd.yml"), "utf8");
    writeFileSync(
      join(folder, "dredd.yml"),
      settings.replaceAll("http://127.0.0.1:4011", states.replace(/.states/, "")),
    );
    const { stdout: profile } = await accord("spec", "chat", "--profile", "dredd", "--format", "json");
    const { paths, ...document } = JSON.parse(profile);
    const path = "/users/me/muted_users/{muted_user_id}#own_user";
    writeFileSync(join(folder, "chat.dredd.yaml"), JSON.stringify({ ...document, paths: { [path]: paths[path] } }));
    const output = await captureOutput([join(root, "node_modules/dredd/bin/dredd"), "--no-color"], folder);
    expect(output).toMatch(/^complete: 1 passing, 0 failing, 0 errors, 0 skipped/m);
    expect(await end()).toBe(0);
  });

  it("passes publint and are-the-types-wrong", async () => {
    const bin = (name: string) => join(root, "node_modules/.bin", name);
    await expect(run(bin("publint"), ["run", tarball, "--strict"], { cwd: root })).resolves.toBeDefined();
    await expect(
      run(
        bin("attw"),
        [tarball, "--profile", "esm-only", "--exclude-entrypoints", "openapi.yaml", "openapi.generators.yaml"],
        { cwd: root },
      ),
    ).resolves.toBeDefined();
  });

  it("contains sources, licence and changelog", () => {
    const inside = join(folder, "node_modules/accord-contracts");
    expect(readdirSync(inside)).toEqual(
      expect.arrayContaining(["CHANGELOG.md", "LICENSE", "README.md", "dist", "openapi", "proto"]),
    );
    expect(readdirSync(join(inside, "proto")).sort()).toEqual(["README.md", "cases", "checks", "proxydaemon"]);
  });

  it("has no scripts, and no fields that concern only a checkout", () => {
    const manifest = JSON.parse(readFileSync(join(folder, "node_modules/accord-contracts/package.json"), "utf8"));
    for (const field of ["private", "scripts", "devDependencies", "overrides"])
      expect(manifest).not.toHaveProperty(field);
  });

  it("has only links that lead to a file of the package or to the web", () => {
    const inside = join(folder, "node_modules/accord-contracts");
    const guides = readdirSync(inside, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".md"));
    expect(guides).toEqual(expect.arrayContaining(["README.md", "docs/verify.md", "openapi/README.md"]));
    const dead = guides.flatMap((guide) =>
      [...readFileSync(join(inside, guide), "utf8").matchAll(/\]\((?![a-z]+:|#)([^)#\s]+)/g)]
        .filter(([, to = ""]) => !existsSync(join(inside, dirname(guide), to)))
        .map(([, to]) => `${guide}: ${to}`),
    );
    expect(dead).toEqual([]);
  });

  it("serves its documentation", async () => {
    const { address } = await start("docs --port 0", /documentation {2}(http:\S+)/);
    const page = await fetch(`${address}chat/editMessage.html`);
    expect(await page.text()).toContain('id="rule-messages.edit.content-with-stream"');
  });

  // Dredd reads all cases of the contract, which takes as long as most other tests of this file together.
  needing("bash").it.runIf(isThorough)("runs Dredd from a checkout with the commands of docs/tools.md", async () => {
    const { states, end } = await serveChat();
    const lines = guideExample("docs/tools.md", "dredd")
      .replaceAll("http://127.0.0.1:4011", states.replace("/states", ""))
      .replaceAll("chat.dredd.yaml", join(folder, "chat.dredd.yaml"));
    const one =
      '--only "/users/me/muted_users/{muted_user_id}#own_user > The caller cannot mute the own user > 400 > application/json"';
    const { stdout } = await run("bash", ["-euc", `${lines} ${one}`], { cwd: root, maxBuffer: 1 << 26 });
    expect(stdout).toMatch(/complete.*: 1 passing, 0 failing, 0 errors/);
    expect(await end()).toBe(0);
  });
});

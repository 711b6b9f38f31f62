import { execFile } from "node:child_process";
import { watch } from "node:fs";
import { fileURLToPath } from "node:url";
import { createServer } from "vitepress";
import { untilStopped } from "../src/cli/stop-signals.js";
import { runScript } from "./run-script.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const port = 4030;

/** The sources of the pages. VitePress itself reloads after a change of the theme or of a component. */
const watched = ["docs", "generated", "examples", "site/pages", "site/html", "site/levels"];

/** Writes the pages in a new process, which loads the changed code. */
function writePages(): Promise<void> {
  const script =
    'import("./site/pages/write-pages.ts").then(async ({ writePages }) => writePages((await import("./site/site-folders.ts")).pagesFolder))';
  return new Promise((resolve, reject) => {
    execFile(process.execPath, ["--import", "tsx", "--eval", script], { cwd: root }, (error, _, stderr) =>
      error === null ? resolve() : reject(new Error(stderr)),
    );
  });
}

// Serves the documentation site on this machine, and reloads it when a source changes.
await runScript(async () => {
  await writePages();
  const server = await createServer(`${root}site`, { port, host: "127.0.0.1", strictPort: true });
  await server.listen();
  let pending: NodeJS.Timeout | undefined;
  const rewrite = () => {
    clearTimeout(pending);
    pending = setTimeout(() => writePages().catch((error: Error) => process.stderr.write(`${error.message}\n`)), 200);
  };
  const watchers = watched.map((folder) => watch(`${root}${folder}`, { recursive: true }, rewrite));
  await untilStopped([server, ...watchers.map((one) => ({ close: async () => one.close() }))], () =>
    process.stdout.write(`documentation  http://127.0.0.1:${port}/\n`),
  );
});

import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** Tests that leave the process as it was, so that one process runs many files: starting one for each takes longer than most of them. */
const sharing = {
  chat: ["test/chat/**", "test/contract/**", "test/mock/**", "test/reference/chat/**", "test/verify/**"],
  daemon: ["test/daemon/**", "test/reference/daemon/**"],
};

/** Modules that find scripts for processes and threads: those of the built package start without a TypeScript loader. */
const builtScripts = ["src/verify/chat/dredd/find-hooks.js", "reference/daemon/import/reading/reader-file.js"];

export default defineConfig({
  resolve: {
    alias: builtScripts.map((path) => ({
      find: new RegExp(`^\\./${path.replace(/.*\//, "").replace(".", "\\.")}$`),
      replacement: fileURLToPath(new URL(`dist/${path}`, import.meta.url)),
    })),
  },
  test: {
    globalSetup: "test/support/build-once.ts",
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Many tests wait for servers and time limits. By default one processor is left idle, which is half of them on a machine with two.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    projects: [
      ...Object.entries(sharing).map(([name, folders]) => ({
        extends: true as const,
        test: { name, isolate: false, include: folders.map((folder) => `${folder}/*.test.ts`) },
      })),
      {
        extends: true,
        test: {
          name: "alone",
          include: ["test/**/*.test.ts"],
          exclude: [...Object.values(sharing).flat(), "test/site/**"],
        },
      },
      {
        extends: true,
        test: { name: "site", include: ["test/site/**/*.test.ts"], globalSetup: "test/site/global-setup.ts" },
      },
    ],
  },
});

import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** Tests that leave the process as it was, so that one process runs many files: starting one for each takes longer than most of them. */
const sharing = {
  chat: ["test/chat/**", "test/contract/**", "test/mock/**", "test/reference/chat/**", "test/verify/**"],
  daemon: ["test/daemon/**", "test/reference/daemon/**"],
};

export default defineConfig({
  test: {
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

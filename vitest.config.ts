import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // By default one processor is left idle, which is half of them on a machine with two.
    maxWorkers: "100%",
  },
});

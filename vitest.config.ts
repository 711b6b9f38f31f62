import { availableParallelism } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vitest/config";

const root = fileURLToPath(new URL(".", import.meta.url));

/** Tests that leave the process as it was, so that one process runs many files: starting one for each takes longer than most of them. */
const sharing = {
  chat: [
    ...["test/chat/**", "test/contract/**", "test/judge/**", "test/mock/**", "test/openapi/**", "test/schema/**"],
    ...["test/reference/chat/**", "test/report/**", "test/traffic/**", "test/verify/**"],
  ],
  daemon: ["test/daemon/**", "test/reference/daemon/**", "test/server/**"],
};

/**
 * Tests that only `--complete` (CI) and `--thorough` run: they install packages, build and open the documentation site, run programs and
 * servers of other people or `npm test` itself, or fill disks and memory. One that is named is always run.
 */
const thorough = [
  "test/package/packed.test.ts",
  ...["generators-guide", "protobuf-guide", "public-documents", "real-servers", "stock-respect", "tools-guide"].map(
    (name) => `test/${name}.test.ts`,
  ),
  ...["test/dredd/stock-dredd.test.ts", "test/scripts/test/npm-test.test.ts"],
  ...["postgres/{kill,servers,command-line}", "durability/{kill,memory}", "uploads/{full-disk,upload-memory}"].map(
    (name) => `test/reference/chat/${name}.test.ts`,
  ),
  ...["memory", "durability/kill"].map((name) => `test/reference/daemon/${name}.test.ts`),
  ...["test/examples/**", "test/site/**"],
];
const isNamed = process.argv.slice(2).some((argument) => argument.startsWith("test/"));
const isComplete = ["1", "sampled"].includes(process.env.ACCORD_THOROUGH ?? "");
const omitted = isComplete || isNamed ? [] : thorough;

/** The folders that the build compiles into `dist`. */
const built = /^(?:src|reference|generated|openapi\/checks|proto\/checks)\//;

/**
 * Resolves imports of sources to the built package, which Node loads without transforming it. The locations of errors are mapped to the
 * sources with the source maps of the build.
 */
const builtModules: Plugin = {
  name: "built-modules",
  enforce: "pre",
  resolveId(path, importer) {
    if (!path.startsWith(".") || importer === undefined) return undefined;
    const file = relative(root, resolve(dirname(importer), path));
    return built.test(file) ? join(root, "dist", file.replace(/\.ts$/, ".js")) : undefined;
  },
};

export default defineConfig({
  plugins: [builtModules],
  test: {
    globalSetup: "test/support/build-once.ts",
    setupFiles: "test/support/end-with-vitest.ts",
    server: { deps: { external: [/\/dist\/(?:src|reference|generated|openapi)\//] } },
    // These only end what hangs, whatever else the machine does: with a full load, a process that starts in a second may need a minute.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    teardownTimeout: 120_000,
    expect: { poll: { timeout: 300_000 } },
    // Most of the time, tests wait for servers, browsers and time limits: with three workers, half of two processors was idle.
    maxWorkers: 2 * availableParallelism() + 1,
    projects: [
      ...Object.entries(sharing).map(([name, folders]) => ({
        extends: true as const,
        test: {
          name,
          isolate: false,
          include: folders.map((folder) => `${folder}/*.test.ts`),
          exclude: [...omitted, "**/node_modules/**"],
        },
      })),
      {
        extends: true,
        test: {
          name: "alone",
          include: ["test/**/*.test.ts"],
          exclude: [...Object.values(sharing).flat(), ...omitted, "test/site/**", "**/node_modules/**"],
        },
      },
      ...(omitted.length > 0
        ? []
        : [
            {
              extends: true as const,
              test: {
                name: "site",
                include: ["test/site/**/*.test.ts"],
                globalSetup: ["test/support/build-once.ts", "test/site/global-setup.ts"],
              },
            },
          ]),
    ],
  },
});

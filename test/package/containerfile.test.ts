import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

describe("Containerfile", () => {
  const lines = readFileSync(join(root, "Containerfile"), "utf8").replaceAll("\\\n", "").split("\n");

  it("installs the package", () => {
    expect(lines.find((line) => line.startsWith("RUN npm install"))).toContain("./accord-contracts-*.tgz");
  });

  it("copies only the files that its ignore file allows, and runs without a root user", () => {
    const copied = lines.filter((line) => line.startsWith("COPY")).map((line) => line.split(" ")[1]);
    const shown = readFileSync(join(root, ".containerignore"), "utf8")
      .split("\n")
      .filter((line) => line.startsWith("!"));
    expect(copied.map((name) => `!${name}`)).toEqual(shown);
    expect(lines.indexOf("USER node")).toBeGreaterThan(0);
    expect(lines.indexOf("USER node")).toBeLessThan(lines.findIndex((line) => line.startsWith("ENTRYPOINT")));
  });
});

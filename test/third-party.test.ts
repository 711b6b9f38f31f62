import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";

interface Source {
  readonly file: string;
  readonly release: string;
  readonly path: string;
  readonly canonical: string;
  readonly licence: string;
  readonly sha256: string;
}

const folder = fileURLToPath(new URL("../proto/third_party", import.meta.url));
const sources: Source[] = parse(readFileSync(join(folder, "sources.yaml"), "utf8"));

describe("proto/third_party/sources.yaml", () => {
  it("lists every file of the folder", () => {
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".proto"));
    expect(sources.map(({ file }) => file).sort()).toEqual(files.sort());
  });

  it.each(sources)(
    "pins the release and the content of $file",
    ({ file, release, path, canonical, licence, sha256 }) => {
      const content = readFileSync(join(folder, file));
      expect(createHash("sha256").update(content).digest("hex")).toBe(sha256);
      expect(release).toMatch(/^(@\w+\/)?[\w-]+@\d+\.\d+\.\d+$/);
      expect(path).toMatch(/\.proto$/);
      expect(canonical).toMatch(/^https:/);
      expect([licence, content.toString()]).toEqual([
        "Apache-2.0",
        expect.stringContaining("Apache License, Version 2.0"),
      ]);
    },
  );
});

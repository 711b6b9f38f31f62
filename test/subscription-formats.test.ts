import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { rejectionReasons } from "../reference/daemon/import/entry.js";
import { hostOf } from "../src/contract/rpc/evidence.js";
import { loadDaemonCases } from "../src/daemon/daemon-contract.js";

const page = readFileSync(new URL("../docs/subscription-formats.md", import.meta.url), "utf8");
const { cases } = await loadDaemonCases();

/** The examples of the page: the name of a case, and the content of the code block below it. */
const examples = [...page.matchAll(/^`([a-z0-9-]+)`[^\n]*:\n\n```[a-z]+\n([\s\S]*?)\n```$/gm)].map(
  ([, name = "", content = ""]) => [name, content] as const,
);

describe("docs/subscription-formats.md", () => {
  it("has an example for each format with rules of its own", () => {
    expect(examples).toHaveLength(3);
    const formats = examples.map(([name]) => cases.find((one) => one.name === name)?.reply?.detectedFormat);
    expect(formats).toEqual(["uri-list", "base64-uri-list", "clash"]);
  });

  it.each(examples)("shows the content of the case %s", (name, content) => {
    const found = cases.find((one) => one.name === name);
    const host = found && hostOf(found);
    expect(host?.kind === "content" ? host.body.trimEnd() : host).toBe(content);
  });

  it("lists every reason of the reference", () => {
    const [, list = ""] = page.split("## Reasons for rejection");
    const listed = [...list.matchAll(/^- (.+)$/gm)].map(([, reason]) => reason);
    expect(listed).toEqual(Object.values(rejectionReasons));
  });
});

import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { packageFile } from "../../../src/base/package-file.js";
import { loadContract, loadStatesCatalogue } from "../../../src/chat/contract.js";

const yaml = (name: string) => parse(readFileSync(packageFile(`generated/chat/${name}`), "utf8"));

it("the contract in JSON equals generated/chat/openapi.yaml", async () => {
  const { "x-accord": _, ...document } = await loadContract();
  expect(document).toEqual(yaml("openapi.yaml"));
});

it("the provider states in JSON equal those of generated/chat/states.yaml", async () => {
  expect(await loadStatesCatalogue()).toEqual(yaml("states.yaml"));
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { loadContract } from "../../../src/contract/chat/contract-file.js";
import { readWorkflows, workflowFolder } from "../../../src/contract/chat/workflows.js";
import { loadStatesCatalogue } from "../../../src/verify/chat/states/catalogue.js";

describe("the JSON of the contract", () => {
  it("equals generated/chat/openapi.yaml", async () => {
    const yaml = readFileSync(join(workflowFolder, "../openapi.yaml"), "utf8");
    expect(await loadContract()).toEqual(parse(yaml));
  });

  it("has the provider states of generated/chat/states.yaml", async () => {
    const yaml = readFileSync(join(workflowFolder, "../states.yaml"), "utf8");
    expect(await loadStatesCatalogue()).toEqual(parse(yaml));
  });

  it("has the workflows of generated/chat/behaviour", () => {
    const workflows = readWorkflows();
    const files = [...new Set(workflows.map(({ file }) => file))];
    const ids = files.flatMap((file) => {
      const document: { workflows: { workflowId: string }[] } = parse(readFileSync(join(workflowFolder, file), "utf8"));
      return document.workflows.map(({ workflowId }) => workflowId);
    });
    expect(workflows.map(({ workflowId }) => workflowId)).toEqual(ids);
  });
});

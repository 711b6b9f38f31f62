import { expect, it } from "vitest";
import { runStages } from "../../../scripts/stages/run-stages.js";

it("runs every stage, prints each result and returns the names of the failed stages", async () => {
  const lines: string[] = [];
  const failed = await runStages(
    [
      { name: "first", run: async () => ({ ok: true, detail: "3 cases" }) },
      { name: "second", run: async () => ({ ok: false, output: "chat.yaml:3: wrong\n" }) },
      { name: "third", run: () => Promise.reject(new Error("buf is missing")) },
      { name: "last", run: async () => ({ ok: true }) },
    ],
    (text) => lines.push(text.replace(/\d+\.\d s/, "T")),
  );
  expect(failed).toEqual(["second", "third"]);
  expect(lines.join("")).toBe(
    "ok      first   T  3 cases\nFAILED  second  T\nchat.yaml:3: wrong\nFAILED  third   T\nbuf is missing\nok      last    T\n",
  );
});

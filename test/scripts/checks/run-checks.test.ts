import { expect, it } from "vitest";
import { runChecks } from "../../../scripts/checks/run-checks.js";

it("runs every check, prints the results in order and returns the names of the failed checks", async () => {
  let endFirst = () => {};
  const firstEnds = new Promise<void>((resolve) => {
    endFirst = resolve;
  });
  const lines: string[] = [];
  const failed = await runChecks(
    [
      { name: "first", run: () => firstEnds.then(() => ({ ok: true, detail: "3 cases" })) },
      { name: "second", run: async () => ({ ok: false, output: "chat.yaml:3: wrong\n" }) },
      { name: "third", run: () => Promise.reject(new Error("buf is missing")) },
      {
        name: "last",
        run: async () => {
          endFirst();
          return { ok: true };
        },
      },
    ],
    (text) => lines.push(text.replace(/\d+\.\d s/, "T")),
  );
  expect(failed).toEqual(["second", "third"]);
  expect(lines.join("")).toBe(
    "ok      first   T  3 cases\nFAILED  second  T\nchat.yaml:3: wrong\nFAILED  third   T\nbuf is missing\nok      last    T\n",
  );
});

import { expect, it } from "vitest";
import { formatPage } from "../../../scripts/faults/format-page.js";
import { readPage } from "../../../scripts/faults/read-page.js";

const page = formatPage({
  chat: {
    tools: ["ours", "theirs"],
    faults: [
      { name: "a", family: "status", summary: "answers 500", reportedBy: ["ours"] },
      { name: "b", family: "leaks", summary: "leaks a | b", reportedBy: ["ours", "theirs"] },
      { name: "c", family: "leaks", summary: "leaks", reportedBy: [], unmeasuredBy: ["theirs"] },
    ],
    variations: [{ name: "v", summary: "is slow", reportedBy: ["theirs"] }],
  },
  daemon: {
    tools: ["ours"],
    faults: [{ name: "d", family: "calls", summary: "answers twice", reportedBy: ["ours"] }],
    variations: [{ name: "w", summary: "is quick", reportedBy: [] }],
  },
});

it("counts the faults that each tool caught, in total and by family", () => {
  expect(page).toContain("| Faults caught, of 3 | 2 | 1 of 2 |");
  expect(page).toContain("| False alarms, of 1 variations | 0 | 1 |");
  expect(page).toContain("| status | 1 | 1 | 0 |");
  expect(page).toContain("| leaks | 2 | 1 | 1 of 1 |");
  expect(page).toContain("| Faults caught, of 1 | 1 |");
});

it("has a row for each fault and variation", () => {
  expect(page).toContain("#### Status\n");
  expect(page).toContain("| answers 500 | `a` | yes | – |");
  expect(page).toContain("| leaks a \\| b | `b` | yes | yes |");
  expect(page).toContain("| leaks | `c` | – | ? |");
  expect(page).toContain("| is slow | `v` | – | yes |");
  expect(page).toContain("| answers twice | `d` | yes |");
  expect(page).toContain("| is quick | `w` | – |");
});

it("writes a page that readPage parses", () => {
  const { chat, daemon } = readPage(page);
  const measured = { unmeasuredBy: [] };
  expect([...chat]).toEqual([
    ["a", { reportedBy: ["ours"], ...measured }],
    ["b", { reportedBy: ["ours", "theirs"], ...measured }],
    ["c", { reportedBy: [], unmeasuredBy: ["theirs"] }],
    ["v", { reportedBy: ["theirs"], ...measured }],
  ]);
  expect([...daemon]).toEqual([
    ["d", { reportedBy: ["ours"], ...measured }],
    ["w", { reportedBy: [], ...measured }],
  ]);
});

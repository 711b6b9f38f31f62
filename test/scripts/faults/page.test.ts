import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { faults } from "../../../scripts/faults/chat/faults.js";
import { ownDeviations, variations } from "../../../scripts/faults/chat/variations.js";
import { daemonFaults } from "../../../scripts/faults/daemon/faults.js";
import { daemonVariations } from "../../../scripts/faults/daemon/variations.js";
import { readPage, type Verdicts } from "../../../scripts/faults/read-page.js";

const { chat, daemon } = readPage(await readFile(new URL("../../../docs/faults.md", import.meta.url), "utf8"));

function namesOf(named: readonly { readonly name: string }[]): string[] {
  return named.map(({ name }) => name);
}

function reported(verdicts: Verdicts, tool: string): string[] {
  return [...verdicts].flatMap(([name, { reportedBy }]) => (reportedBy.includes(tool) ? [name] : []));
}

describe("docs/faults.md, which `npm run faults` writes", () => {
  it("has a row for every fault and variation", () => {
    expect([...chat.keys()].sort()).toEqual(namesOf([...faults, ...variations, ...ownDeviations]).sort());
    expect([...daemon.keys()].sort()).toEqual(namesOf([...daemonFaults, ...daemonVariations]).sort());
  });

  it("agrees with the tests of `accord verify`", () => {
    const caught = namesOf(faults.filter(({ missed }) => !missed));
    expect(reported(chat, "accord verify --strict")).toEqual(expect.arrayContaining(caught));
    expect(reported(chat, "accord verify")).toEqual(
      reported(chat, "accord verify").filter((name) => caught.includes(name)),
    );
    const caughtInDaemons = namesOf(daemonFaults.filter(({ missed }) => !missed));
    expect(reported(daemon, "accord verify --strict")).toEqual(expect.arrayContaining(caughtInDaemons));
    expect(reported(daemon, "accord verify")).toEqual(
      reported(daemon, "accord verify").filter((name) => caughtInDaemons.includes(name)),
    );
  });
});

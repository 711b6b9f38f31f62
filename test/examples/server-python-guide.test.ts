import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { needing } from "../support/needing.js";
import { type RunningAccord, startAccord } from "../support/run-accord.js";
import { type RunningProgram, startProgram } from "../support/start-program.js";

const { it } = needing("bash", "python3-flask");
const readme = readFileSync(new URL("../../examples/server-python/README.md", import.meta.url), "utf8");
const [, guide = ""] = /\n## From an empty server to one operation\n([\s\S]*?)\n## /.exec(readme) ?? [];

/** Returns a function that returns the next code block of the guide, whose language it checks. */
function blocksOfGuide(): (language: string) => string {
  const blocks = guide.replaceAll(/ \\\n\s*/g, " ").matchAll(/^```(\w+)\n([\s\S]*?)\n```$/gm);
  return (language) => {
    const [, found, code = ""] = blocks.next().value ?? [];
    expect(found, code).toBe(language);
    return code;
  };
}

/** Returns the lines of an output where an excerpt shows lines, and its lines `…` for all others, so that equal texts are a true excerpt. */
function excerptLike(output: string, excerpt: string): string {
  const lines = output.trimEnd().split("\n");
  const pieces = excerpt.split(/^…$/m).map((piece) => piece.replaceAll(/^\n|\n$/g, "").split("\n"));
  let end = 0;
  const shown = pieces.map((piece, at) => {
    const [first = ""] = piece;
    if (piece.length === 1 && first === "") return "";
    const isLast = at > 0 && at === pieces.length - 1;
    const start = at === 0 ? 0 : isLast ? lines.length - piece.length : lines.indexOf(first, end);
    if (start < end) return `(${first} is missing)`;
    end = start + piece.length;
    return lines.slice(start, end).join("\n");
  });
  return shown.join("\n…\n").trim();
}

function sameDurations(text: string): string {
  return text.replaceAll(/ in (?:[\d.,]+ m?s|\d+ min \d+ s):/g, " in 0 s:");
}

function expectExcerpt(output: string, excerpt: string): void {
  const shown = sameDurations(excerpt);
  expect(excerptLike(sameDurations(output), shown)).toBe(shown);
}

/** The folder of a reader, with the server that the guide writes. */
function createDesk() {
  const folder = mkdtempSync(join(tmpdir(), "accord-day-one-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "day_one.py");
  let server: RunningProgram | undefined;
  let port = "0";
  onTestFinished(() => server?.stop());
  const start = async (command: string) => {
    server = await startProgram({
      ...{ command: command.replace("4014", port), folder, ready: /Running on (http:\S+)/ },
      install: "Debian: apt-get install python3-flask",
    });
    ({ port } = new URL(server.address));
  };
  return {
    folder,
    start,
    stop: async () => server?.stop(),
    write: (code: string) => appendFileSync(file, `${code}\n\n`),
    change: (diff: string) => {
      const side = (sign: string) =>
        diff.split("\n").flatMap((line) => (line.startsWith(sign) ? `${line.slice(1)}\n` : []));
      const code = readFileSync(file, "utf8");
      expect(code.split(side("-").join(""))).toHaveLength(2);
      writeFileSync(file, code.replace(side("-").join(""), side("+").join("")));
    },
    /** Starts the command line in the guide. */
    accord: (line: string): RunningAccord => {
      const words = line.replaceAll("4014", port).replace("missing.yaml", join(folder, "missing.yaml")).split(" ");
      expect(words.slice(0, 3)).toEqual(["npx", "--no-install", "accord"]);
      return startAccord(...words.slice(3));
    },
  };
}

it("the guide of the server in Python has the true output at each step", async () => {
  const next = blocksOfGuide();
  const desk = createDesk();
  const run = async (line: string, code: number) => {
    const end = await desk.accord(line).finished;
    expect(end).toMatchObject({ code, stderr: "" });
    return end.stdout;
  };
  const restart = async (command: string) => {
    await desk.stop();
    await desk.start(command);
  };

  // An empty server.
  desk.write(next("python"));
  const command = next("sh");
  await desk.start(command);
  expectExcerpt(await run(next("sh"), 1), next("text"));

  // An operation.
  desk.write(next("python"));
  await restart(command);
  expectExcerpt(await run(next("sh"), 3), next("text"));

  // Users.
  desk.write(next("python"));
  await restart(command);
  const withStates = next("sh");
  expectExcerpt(await run(withStates, 1), next("text"));

  // Done.
  const watching = desk.accord(next("sh"));
  await watching.printed(/^Waiting for a change/m);
  await desk.stop();
  desk.change(next("diff"));
  await watching.printed(/^The server is gone/m);
  await desk.start(command);
  await watching.printed(/0 failing\nWaiting/);
  watching.child.kill("SIGINT");
  const { code, stdout } = await watching.finished;
  expect(code).toBe(0);
  expectExcerpt(stdout, next("text"));
  expectExcerpt(await run(withStates, 0), next("text"));

  // What is still missing.
  await run(next("sh"), 1);
  expectExcerpt(readFileSync(join(desk.folder, "missing.yaml"), "utf8"), next("yaml"));
  expectExcerpt(await run(next("sh"), 0), next("text"));
});

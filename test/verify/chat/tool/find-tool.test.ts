import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findDredd } from "../../../../src/verify/chat/dredd/dredd-process.js";
import { findTool } from "../../../../src/verify/chat/tool/find-tool.js";
import { findRedocly } from "../../../../src/verify/chat/workflows/respect-process.js";
import { CouldNotRunError } from "../../../../src/verify/could-not-run-error.js";
import { useOwnTemporaryFolder } from "../../../support/own-temporary-folder.js";

describe("findTool", () => {
  it.each([
    ["Dredd", "dredd/bin/dredd", findDredd],
    ["Redocly", "@redocly/cli/bin/cli.js", findRedocly],
  ])("prefers the %s in the working directory to the one in this package", (_, script, find) => {
    const { path } = useOwnTemporaryFolder();
    expect(find(path)).toMatch(new RegExp(`/node_modules/${script}$`));
    expect(find(path).startsWith(path)).toBe(false);
    const own = join(path, "node_modules", script);
    mkdirSync(join(own, ".."), { recursive: true });
    writeFileSync(own, "");
    expect(find(path)).toBe(own);
  });

  it("says how to install a missing tool", () => {
    const moon = {
      need: "Flights need Moon, which is not installed",
      script: "moon-rocket/bin",
      install: "moon-rocket@1.0.0",
    };
    expect(() => findTool(moon)).toThrow(CouldNotRunError);
    expect(() => findTool(moon)).toThrow(
      "Flights need Moon, which is not installed. Install it with: npm install --save-dev moon-rocket@1.0.0",
    );
  });
});

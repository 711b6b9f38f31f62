import { describe, expect, it } from "vitest";
import { stateValidators } from "../../../generated/chat/state-validators.js";
import { statesModule } from "../../../scripts/generate/states.js";

describe("statesModule", () => {
  it("writes the parameters and values of the catalogue", async () => {
    const module = await statesModule({
      "x-callers": { member: "An ordinary member." },
      "x-types": {
        caller: { type: "string", enum: ["member"] },
        callers: { type: "array", items: { $ref: "#/x-types/caller" } },
      },
      "x-states": {
        note: {
          description: "A note exists.",
          params: {
            type: "object",
            required: ["title"],
            properties: {
              title: { type: "string" },
              by: { $ref: "#/x-types/caller" },
              readers: { $ref: "#/x-types/callers", description: "Defaults to nobody." },
              colour: { type: "string", enum: ["red", "blue"] },
              limit: { type: ["integer", "null"] },
            },
            additionalProperties: false,
          },
          values: { type: "object", required: ["note_id"], properties: { note_id: { type: "integer" } } },
        },
        "any-entry": { values: { type: "object", properties: { entry: { type: "object" } } } },
      },
    });
    expect(module.slice(module.indexOf("export const callers"))).toBe(`export const callers = ["member"] as const;
export type CallerName = (typeof callers)[number];

/** The provider states. */
export const stateNames = [
  "note",
  "any-entry",
] as const;
export type StateName = (typeof stateNames)[number];

/** The parameters of each state, besides \`organization\`. */
export interface StateParams {
    /** @description A note exists. */
    note: {
        title: string;
        by?: CallerName;
        /** @description Defaults to nobody. */
        readers?: CallerName[];
        /** @enum {string} */
        colour?: "red" | "blue";
        limit?: number | null;
    };
    "any-entry": Record<string, never>;
}

/** The values that the setup of each state returns, besides \`organization\` and \`credentials\`. */
export interface StateValues {
    note: {
        note_id: number;
    };
    "any-entry": {
        entry?: {
            [key: string]: unknown;
        };
    };
}
`);
  });
});

describe("stateValidators", () => {
  it.each([
    ["channel", { name: "Denmark", subscribers: ["member"] }, true],
    ["channel", { name: "Denmark", organization: "org-1" }, true],
    ["channel", {}, false],
    ["channel", { name: "Denmark", subscribers: ["moon"] }, false],
    ["channel", { name: "Denmark", colour: "red" }, false],
    ["organization", { settings: { message_content_edit_limit_seconds: null } }, true],
    ["organization", { settings: { colour: "red" } }, false],
    ["missing", { organization: "org-1" }, true],
    ["missing", { name: "Denmark" }, false],
    ["missing", [], false],
  ] as const)("validates %s with %j: %s", (state, params, fits) => {
    expect(stateValidators[state](params)).toBe(fits);
  });
});

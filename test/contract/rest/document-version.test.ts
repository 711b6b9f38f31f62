import { describe, expect, it } from "vitest";
import { findVersion } from "../../../src/contract/rest/document-version.js";

describe("findVersion", () => {
  it.each([
    ["openapi: 3.1.0\n", { key: "openapi", version: "3.1.0", line: 1 }],
    ["# A comment\n\n'swagger': \"2.0\"\n", { key: "swagger", version: "2.0", line: 3 }],
    ['{\n  "info": {},\n  "openapi": "3.0.3"\n}', { key: "openapi", version: "3.0.3", line: 3 }],
    ['{"info":{},"openapi":"3.0.3"}', { key: "openapi", version: "3.0.3", line: 1 }],
    ["info:\n  description: |\n    swagger: 2.0\nopenapi: 3.0.0\n", { key: "openapi", version: "3.0.0", line: 4 }],
    ["dependencies: {openapi: ^3.0.0}\n", undefined],
    ["openapi: true\n", undefined],
    ["", undefined],
  ])("reads %j", (text, want) => {
    expect(findVersion(text)).toEqual(want);
  });
});

import { expect, it } from "vitest";
import { greater, type Impact } from "../../src/breaking/impact.js";
import { idOf, listChanges } from "../../src/breaking/rest-changes.js";
import { pointerKeys } from "../../src/contract/json-pointer.js";
import { completeOperations } from "../../src/contract/rest/complete-operations.js";
import type { ContractDocument } from "../../src/contract/rest/document.js";
import { rows } from "./rest-change-rows.js";

/** A document with an operation of each row. */
function documentOf(which: "before" | "after"): ContractDocument {
  const kind = (name: string) => ({ type: "object", properties: { kind: { const: name } } });
  const items = rows.map((row, i) => [`/${i}`, row[which]] as const);
  return completeOperations({
    openapi: "3.1.0",
    info: { title: "Pets", version: "1.0.0" },
    servers: [{ url: "/" }],
    tags: [{ name: "pets" }],
    paths: Object.fromEntries(items),
    components: {
      schemas: { Cat: kind("cat"), Dog: kind("dog"), Other: kind("other") },
      securitySchemes: {
        key: { type: "apiKey", in: "header", name: "X-Key" },
        token: { type: "http", scheme: "bearer" },
      },
    },
  });
}

it("judges each change", { timeout: 120_000 }, async () => {
  const changes = await listChanges(documentOf("before"), documentOf("after"));
  const found = rows.map(({ change }, i) => {
    const own = changes.filter(({ path }) => pointerKeys(path)[1] === `/${i}`);
    const impact = own.reduce<Impact>((max, one) => greater(max, one.impact), "none");
    const decisive = own.find((one) => one.impact === impact);
    return `${change}: ${impact}${decisive === undefined ? "" : ` ${idOf(decisive)}`}`;
  });
  expect(found).toEqual(rows.map(({ change, impact, id }) => `${change}: ${impact}${id === "" ? "" : ` ${id}`}`));
});

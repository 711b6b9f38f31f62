import { expect, it } from "vitest";
import { createRouter } from "../../../src/server/rest/match-route.js";

it.each<[sent: string, found: string, paths: readonly string[]]>([
  ["/a/b", "/a/b", ["/a/{x}", "/a/b"]],
  ["/a/b/c", "/a/b/{y}", ["/a/{x}/c", "/a/b/{y}"]],
  ["/a/b/c", "/{x}/b/c", ["/a/{x}/{y}", "/{x}/b/c"]],
  ["/a/1.json", "/a/{x}.json", ["/a/{x}", "/a/{x}.json"]],
  ["/a/1.json", "/a/{x}.json", ["/a/{x}n", "/a/{x}.json"]],
  ["/a/b", "/a/{x}", ["/a/{x}", "/a/{y}"]],
])("routes %s to %s of %j", (sent, found, paths) => {
  const route = createRouter(Object.fromEntries(paths.map((path) => [path, { method: "GET", path, parameters: [] }])));
  expect(route("GET", sent)).toMatchObject({ kind: "found", operationId: found });
});

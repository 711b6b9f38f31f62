import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** An ordinary OpenAPI document of somebody else, which knows nothing of Accord. */
export const museum = {
  openapi: "3.1.0",
  info: { title: "Museum API", version: "1.2.0" },
  servers: [{ url: "https://museum.example/v1" }],
  security: [{ key: [] }],
  paths: {
    "/artworks": {
      get: {
        operationId: "listArtworks",
        summary: "List artworks",
        parameters: [{ name: "artist", in: "query", schema: { type: "string" } }],
        responses: {
          "200": {
            description: "The artworks.",
            content: {
              "application/json": {
                schema: { type: "array", items: { $ref: "#/components/schemas/Artwork" } },
                example: [{ id: 1, title: "Water Lilies" }],
              },
            },
          },
        },
      },
      post: {
        operationId: "createArtwork",
        summary: "Add an artwork",
        requestBody: {
          required: true,
          content: { "application/json": { schema: { $ref: "#/components/schemas/Artwork" } } },
        },
        responses: { "201": { description: "It was added." } },
      },
    },
    "/artworks/{id}": {
      put: {
        operationId: "replaceArtwork",
        summary: "Replace an artwork",
        parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" } }],
        requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/Artwork" } } } },
        responses: { "204": { description: "It was replaced." } },
      },
    },
  },
  components: {
    securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Key" } },
    schemas: {
      Artwork: {
        type: "object",
        required: ["title"],
        properties: { id: { type: "integer" }, title: { type: "string" } },
      },
    },
  },
};

/** A folder of `.proto` files of somebody else, as `shop/v1/shop.proto`. */
export const shop = `syntax = "proto3";

package shop.v1;

message GetItemRequest {
  string id = 1;
}

message GetItemResponse {
  string name = 1;
}

message WatchRequest {}

message WatchResponse {}

service ShopService {
  rpc GetItem(GetItemRequest) returns (GetItemResponse);
  rpc Watch(WatchRequest) returns (stream WatchResponse);
}
`;

/** Makes a folder with files for a test, and removes it after the test. */
export function makeFolder(files: Readonly<Record<string, string | object>>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "accord-museum-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  write(folder, files);
  return folder;
}

/** Writes files into a folder; an object is written as JSON, which is YAML, too. */
export function write(folder: string, files: Readonly<Record<string, string | object>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), typeof content === "string" ? content : JSON.stringify(content, null, 2));
  }
}

import { describe, expect, it } from "vitest";
import { serverOrigin } from "../../../src/verify/chat/server/server-urls.js";
import { CouldNotRunError } from "../../../src/verify/could-not-run-error.js";

describe("the URL of a chat server", () => {
  it.each([
    ["http://127.0.0.1:4011/api/v1", "http://127.0.0.1:4011"],
    ["http://127.0.0.1:4011/api/v1/", "http://127.0.0.1:4011"],
    ["https://chat.example/team/api/v1", "https://chat.example/team"],
    ["http://[::1]:4011/api/v1", "http://[::1]:4011"],
  ])("%s is at %s", (url, want) => {
    expect(serverOrigin(url)).toBe(want);
  });

  it.each([
    "",
    "127.0.0.1:4011/api/v1",
    "http://127.0.0.1:4011",
    "http://127.0.0.1:4011/api/v2",
    "ftp://chat.example/api/v1",
    "http://me:s3cret@chat.example/api/v1",
    "http://chat.example/api/v1?key=s3cret",
    "http://chat.example/api/v1#s3cret",
  ])("cannot be %j, and nothing of it is repeated", (url) => {
    expect(() => serverOrigin(url)).toThrow(CouldNotRunError);
    expect(() => serverOrigin(url)).not.toThrow(/s3cret/);
  });
});

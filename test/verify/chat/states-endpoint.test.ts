import { describe, expect, it } from "vitest";
import { statesEndpoint } from "../../../src/verify/chat/server/server-urls.js";
import { CouldNotRunError } from "../../../src/verify/could-not-run-error.js";

describe("the URL of the provider states", () => {
  it.each([
    ["http://127.0.0.1:4011", "http://127.0.0.1:4011/states"],
    ["http://127.0.0.1:4011/states/", "http://127.0.0.1:4011/states"],
    ["https://chat.example/for/tests", "https://chat.example/for/tests/states"],
    ["http://[::1]:4011/states", "http://[::1]:4011/states"],
  ])("%s leads to %s", (url, want) => {
    expect(statesEndpoint(url)).toBe(want);
  });

  it.each([
    ...["", "notaurl", "localhost:4011", "ftp://127.0.0.1", "file:///etc"],
    ...["http://me:s3cret@127.0.0.1/states", "http://127.0.0.1/states?key=s3cret", "http://127.0.0.1/#s3cret"],
  ])("cannot be %j, and nothing of it is repeated", (url) => {
    expect(() => statesEndpoint(url)).toThrow(CouldNotRunError);
    expect(() => statesEndpoint(url)).not.toThrow(/s3cret/);
  });
});

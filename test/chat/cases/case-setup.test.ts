import { describe, expect, it } from "vitest";
import { requireValues } from "../../../src/chat/cases/case-setup.js";
import type { CallerCredentials } from "../../../src/chat/contract.js";
import { loadContract } from "../../../src/chat/contract.js";
import { callerName } from "../../../src/contract/calls.js";
import { listCases } from "../../../src/contract/rest/cases.js";
import type { Credentials } from "../../../src/verify/states/callers.js";

const cases = listCases(await loadContract());
const credentials: Readonly<Record<string, CallerCredentials>> = Object.fromEntries(
  ["member", "other", "administrator"].map((name, id) => [
    name,
    { user_id: id, email: `${name}@x.example`, api_key: "k" },
  ]),
);

async function missing(
  key: string,
  values: Readonly<Record<string, unknown>>,
  callers: Readonly<Record<string, CallerCredentials>> = credentials,
): Promise<string> {
  const one = cases.find(({ operationId, name }) => `${operationId}/${name}` === key);
  if (one === undefined) throw new Error(`unknown case ${key}`);
  return requireValues(one, { values, credentials: callers as unknown as Readonly<Record<string, Credentials>> }, [
    callerName(one.as),
  ]).then(
    () => "nothing",
    (error: Error) => error.message,
  );
}

const upload = { attachment_id: 3, url: "/u", path_id: "u" };

describe("requireValues", () => {
  it.each<[string, string, Readonly<Record<string, unknown>>, string]>([
    ["a value that the state always returns", "updateMutedTopic/mute_by_id", { message_id: 1 }, "no stream_id"],
    [
      "an id that the case sends",
      "editMessage/detached_upload",
      upload,
      "attachment could not be set up: .*no message_id",
    ],
    [
      "an id of a missing object",
      "deleteAttachment/unknown_attachment",
      {},
      "missing could not be set up: .*no attachment_id",
    ],
    [
      "the right type of a value",
      "updateMutedTopic/mute_by_id",
      { stream_id: "12", message_id: 1 },
      "stream_id must be of type integer, but is a string",
    ],
    [
      "a value that bind names",
      "muteUser/unknown_user",
      { message_id: 1 },
      "missing could not be set up: .*no user_id",
    ],
  ])("rejects without %s", async (_, key, values, want) => {
    expect(await missing(key, values)).toMatch(new RegExp(want));
  });

  it.each<[string, string, Readonly<Record<string, unknown>>]>([
    ["all values that the case needs", "editMessage/detached_upload", { ...upload, message_id: 1 }],
    ["an id that the case does not send", "deleteAttachment/unknown_attachment", { attachment_id: 7 }],
    ["a renamed value", "updateMutedTopic/mute_by_name", { stream_id: 1, message_id: 2 }],
  ])("accepts %s", async (_, key, values) => {
    expect(await missing(key, values)).toBe("nothing");
  });

  it.each<[string, string, string]>([
    ["the caller", "updateMutedTopic/mute_by_id", "no credentials of member"],
    ["the callers that bind names", "unsubscribe/other_user_by_id", "no credentials of administrator, other"],
  ])("rejects without credentials of %s", async (_, key, want) => {
    expect(await missing(key, { stream_id: 1, message_id: 2 }, {})).toContain(want);
  });
});

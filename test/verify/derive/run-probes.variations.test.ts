import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ChatReference, createChatReference } from "../../../reference/chat/create-chat-reference.js";
import type { Behaviour } from "../../../scripts/faults/chat/behaviour.js";
import { always, changesResponse } from "../../../scripts/faults/chat/changes.js";
import type { KnownOrganizations } from "../../../scripts/faults/chat/known-organizations.js";
import { failure, withContentType } from "../../../scripts/faults/chat/messages.js";
import { verifyBehaviour } from "../../../scripts/faults/chat/verify-behaviour.js";
import { headerOf, type WireRequest, type WireResponse, withHeader } from "../../../scripts/faults/chat/wire.js";
import { sampleOf } from "../../support/thorough.js";

let reference: ChatReference;
beforeAll(async () => {
  reference = await createChatReference({ states: true });
});
afterAll(() => reference.close());

/** Answers some requests by itself. */
function answers(
  answer: WireResponse,
  condition: (request: WireRequest, known: KnownOrganizations) => boolean,
): Behaviour {
  return always("all", (request, forward, known) => (condition(request, known) ? answer : forward(request)));
}

const notFound: WireResponse = {
  status: 404,
  headers: [["Content-Type", "text/html"]],
  body: Buffer.from("<h1>Not found</h1>"),
};

/** Behaviours that keep the contract, besides the variations of `scripts/faults/chat`. */
const variations: readonly (readonly [name: string, behaviour: Behaviour])[] = [
  [
    "capitalizes the media type of its responses",
    changesResponse("all", (answer) => withContentType(answer, "Application/JSON;charset=utf-8")),
  ],
  [
    "rejects path values that are not numbers in its router",
    answers(notFound, ({ target }) => /\/(messages|users|muted_users)\/(no-such-value|1\.5|1e3)\b/.test(target)),
  ],
  [
    "reads parameters only from the body",
    always("all", (request, forward) =>
      forward(request.method === "GET" ? request : { ...request, target: request.target.replace(/\?.*/, "") }),
    ),
  ],
  [
    "supports no media type except the form",
    answers(
      { ...withContentType(notFound, "text/plain"), status: 415 },
      (request) => request.body.length > 0 && !/urlencoded/.test(headerOf(request, "Content-Type") ?? ""),
    ),
  ],
  [
    "distinguishes deactivated from unknown users",
    answers(
      failure(403, "USER_DEACTIVATED", "Deactivated"),
      (request, known) => known.callerOf(request)?.caller === "deactivated",
    ),
  ],
  [
    "rejects requests that are too long with 414",
    answers({ ...notFound, status: 414 }, ({ target }) => target.length > 4_000),
  ],
];

/** Operations with and without a login, with parameters in path and body, and with JSON among them. */
const only = ["getServerSettings", "getUserStatus", "muteUser", "unsubscribe"].map((name) => `probe ${name}/`);

async function expectNothingReported(behaviour: Behaviour): Promise<void> {
  const checks = await verifyBehaviour(behaviour, reference, { only });
  expect(checks.length).toBeGreaterThan(80);
  expect(checks.filter(({ outcome }) => outcome.kind !== "passed")).toEqual([]);
}

describe("a server that keeps the contract", () => {
  it.each(sampleOf(variations, 2))("passes all probes if it %s", (_, behaviour) => expectNothingReported(behaviour));

  it("passes all probes if it limits the rate of requests", async () => {
    let count = 0;
    const busy = withHeader(failure(429, "RATE_LIMIT_HIT", "Wait"), "Retry-After", "0");
    // The run waits a second after each.
    await expectNothingReported(answers(busy, () => ++count % 40 === 0));
    expect(count).toBeGreaterThan(100);
  });
});

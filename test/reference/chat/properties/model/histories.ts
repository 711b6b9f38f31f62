import fc from "fast-check";
import { propertyRuns, propertySeed } from "../../../../support/property-seed.js";
import { channelNames, type Person, people } from "./chat-model.js";
import type { ChatCommand } from "./command.js";
import type { ModelNarrow } from "./narrow-rules.js";
import { probe, readIds, readRange, walk } from "./read-commands.js";
import { startSession } from "./session.js";
import { deactivate, edit, muteTopic, muteUser, send, subscribe, unsubscribe, upload } from "./write-commands.js";

// With few people and places, they interact more often.
const person = fc.oneof({ weight: 3, arbitrary: fc.constantFrom("member", "other") }, fc.constantFrom(...people));
const notOwner = fc.constantFrom("administrator", "moderator", "member", "other", "guest");
const channel = fc.constantFrom(...channelNames);
const topic = fc.constantFrom("a", "a", "a", "b", "✔ a", "✔ b", "");
const word = fc.constantFrom("apple", "pear", "plum");
const text = fc.record({
  words: fc.array(word, { minLength: 1, maxLength: 3 }),
  linking: fc.array(fc.nat(3), { maxLength: 2 }),
});
const place = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("channel"), channel, topic }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("direct"),
      people: fc.subarray([...people], { minLength: 1, maxLength: 2 }),
    }),
  },
);
const narrow: fc.Arbitrary<ModelNarrow> = fc.oneof(
  { weight: 2, arbitrary: fc.constant({}) },
  { weight: 2, arbitrary: fc.record({ channel }) },
  { weight: 2, arbitrary: fc.record({ channel, topic }) },
  { weight: 1, arbitrary: fc.constant({ publicChannels: true } as const) },
  {
    weight: 3,
    arbitrary: fc.record(
      {
        channel,
        topic,
        sender: person,
        notSender: person,
        is: fc.constantFrom("dm", "resolved", "unread"),
        search: word,
      },
      { requiredKeys: [] },
    ),
  },
);
const flag = fc.boolean();
const request = fc.oneof(
  fc.record({ text, digest: fc.constantFrom("right", "wrong") }, { requiredKeys: ["text"] }),
  fc.record(
    {
      topic: fc.oneof(topic, fc.constantFrom("✔ ", "general chat", " a ")),
      channel,
      mode: fc.constantFrom("change_one", "change_later", "change_all"),
      notifyOld: flag,
      notifyNew: flag,
    },
    { requiredKeys: ["mode"] },
  ),
  fc.record(
    {
      text,
      topic,
      channel,
      digest: fc.constantFrom("right", "wrong"),
      mode: fc.constantFrom("change_one", "change_later", "change_all"),
    },
    { requiredKeys: [] },
  ),
);
const range = fc.record({
  anchor: fc.oneof(fc.constantFrom("newest", "oldest", "first_unread", "first_unread"), fc.record({ nth: fc.nat(40) })),
  before: fc.nat(4),
  after: fc.nat(4),
  includeAnchor: flag,
});

const sending = fc.record({ from: person, place, text, readBy: fc.subarray([...people], { maxLength: 3 }) }).map(send);
const editing = fc.record({ by: fc.oneof(person, fc.constant("its sender")), nth: fc.nat(40), request }).map(edit);
const reading = fc.record({ by: person, narrow, range }).map(readRange);
const commands: fc.Arbitrary<ChatCommand>[] = [
  // Repeated entries happen more often.
  sending,
  sending,
  sending,
  sending,
  editing,
  editing,
  editing,
  editing,
  reading,
  reading,
  reading,
  fc
    .record({ by: person, narrow, size: fc.integer({ min: 1, max: 4 }), towards: fc.constantFrom("newest", "oldest") })
    .map(walk),
  fc.record({ by: person, narrow }).map(readIds),
  fc.record({ by: person, nth: fc.nat(40) }).map(probe),
  fc.record({ by: person }).map(upload),
  fc.record({ by: person, muted: person }).map(muteUser),
  fc.record({ by: person, channel, topic, op: fc.constantFrom("add", "remove") }).map(muteTopic),
  fc.record({ channel, person }).map(subscribe),
  fc
    .record(
      {
        by: notOwner,
        from: fc.uniqueArray(fc.oneof({ weight: 6, arbitrary: channel }, fc.constant("nowhere")), {
          minLength: 1,
          maxLength: 2,
        }),
        other: notOwner,
      },
      { requiredKeys: ["by", "from"] },
    )
    .map(unsubscribe),
  fc.record({ by: notOwner }).map(deactivate),
];
const subscribers = fc.record({
  open: fc.subarray([...people]),
  closed: fc.subarray([...people]),
  guarded: fc.subarray<Person>(["owner", "administrator", "guest"]),
});

/** Some users have files to link, and joined the channel with protected history after its first message. */
const firstSteps: readonly ChatCommand[] = [
  upload({ by: "member" }),
  upload({ by: "other" }),
  send({
    from: "owner",
    place: { kind: "channel", channel: "guarded", topic: "a" },
    text: { words: ["apple"], linking: [] },
    readBy: [],
  }),
  subscribe({ channel: "guarded", person: "member" }),
  subscribe({ channel: "guarded", person: "other" }),
];

/** Finally, every user sees exactly the messages they may see, through every kind of request. */
const lastLook: readonly ChatCommand[] = people.flatMap((by) => [
  readIds({ by, narrow: {} }),
  walk({ by, narrow: {}, size: 3, towards: "newest" }),
  walk({ by, narrow: {}, size: 3, towards: "oldest" }),
  walk({ by, narrow: { publicChannels: true }, size: 3, towards: "newest" }),
  ...channelNames.map((name) => walk({ by, narrow: { channel: name }, size: 4, towards: "newest" as const })),
]);

/** Runs random histories of an organization, and fails if the server and the model differ. */
export async function checkHistories(
  server: { readonly url: string; readonly statesUrl: string },
  usualRuns: number,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(subscribers, fc.commands(commands, { maxCommands: 60, size: "max" }), async (initial, steps) => {
      const session = await startSession(server, initial);
      for (const step of firstSteps) await step.run(session.model, session.real);
      await fc.asyncModelRun(() => session, steps);
      for (const look of lastLook) await look.run(session.model, session.real);
    }),
    { seed: propertySeed, numRuns: propertyRuns(usualRuns) },
  );
}

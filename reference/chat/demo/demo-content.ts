import type { CallerName, StateName, StateParams } from "../../../generated/chat/states.js";

/** The key of the demo organization. */
export const demoKey = "demo";

/** A provider state with its parameters. */
export type Setup = { readonly [Name in StateName]: readonly [Name, StateParams[Name]] }[StateName];

/** All people except the guest. */
const company: CallerName[] = ["owner", "administrator", "moderator", "member", "other"];
const minute = 60;
const hour = 60 * minute;
const code = ["```python", "def ghost(act):", "    return 'Swear' if act == 1 else None", "```"].join("\n");

function reaction(from: CallerName, emoji_name: string, emoji_code: string): Setup {
  return ["reaction", { from, reaction_type: "unicode_emoji", emoji_name, emoji_code }];
}

function message(from: CallerName, channel: string, topic: string, age_seconds: number, content: string): Setup {
  return ["message", { from, channel, topic, age_seconds, content }];
}

/** The content of the demo organization, whose people are the callers of the provider states. */
export const demoSetups: readonly Setup[] = [
  ["channel", { name: "general", default: true, subscribers: [...company, "guest"] }],
  ["channel", { name: "rehearsals", default: true, subscribers: company }],
  ["channel", { name: "props", subscribers: ["owner", "moderator", "member"] }],
  ["channel", { name: "directors", private: true, subscribers: ["owner", "administrator"] }],
  ["user-group", { name: "stagehands", members: ["moderator", "member"] }],
  ["user-group", { name: "fencers", members: ["owner", "other"] }],
  ["user-group", { name: "everybody-backstage", members: ["administrator"], subgroups: ["stagehands", "fencers"] }],
  [
    "linkifier",
    {
      pattern: "scene (?P<act>[1-5])\\.(?P<scene>[1-7])",
      url_template: "https://shakespeare.example/hamlet/{act}/{scene}",
    },
  ],
  ["profile-field", { name: "Part", field_type: 1 }],
  ["profile-field", { name: "Genre", field_type: 3 }],
  ["profile-field", { name: "Pronouns", field_type: 8 }],
  [
    "attachment",
    { from: "owner", name: "prompt-book.txt", text: "Act 3, scene 2\nEnter the players.\nThe king rises. Lights.\n" },
  ],
  message(
    "administrator",
    "general",
    "welcome",
    48 * hour,
    "Welcome to the Elsinore players, @**Gustav Guest**. Rehearsals are planned in #**rehearsals**.",
  ),
  reaction("owner", "wave", "1f44b"),
  reaction("guest", "tada", "1f389"),
  message(
    "moderator",
    "general",
    "skulls",
    26 * hour,
    "We have **one** skull for scene 5.1 and need a second. @*stagehands*, any idea?",
  ),
  message("member", "props", "skull", 25 * hour, "There is a pattern to print at https://example.com/skull."),
  reaction("moderator", "thumbs_up", "1f44d"),
  reaction("owner", "thumbs_up", "1f44d"),
  [
    "message",
    {
      ...{ from: "owner", channel: "rehearsals", topic: "act three", age_seconds: 20 * hour },
      ...{ content: "The prompt book for scene 3.2:", links: ["prompt-book.txt"] },
    },
  ],
  message("other", "rehearsals", "duel", 19 * hour, "@*fencers* who brings the foils?"),
  message("owner", "rehearsals", "duel", 18 * hour, "/me sharpens his, and hides the cup"),
  message("moderator", "rehearsals", "ghost", 17 * hour, `The ghost in three lines:\n\n${code}`),
  message("member", "rehearsals", "act three", 3 * hour, "We start at nine."),
  message("administrator", "directors", "casting", 90 * minute, "Do we tell @**Otto Other** about scene 5.2?"),
  [
    "message",
    { from: "member", to: ["owner"], age_seconds: 40 * minute, content: "My lord, I have remembrances of yours." },
  ],
  message("owner", "rehearsals", "act three", 5 * minute, "Speak the speech, I pray you."),
  reaction("member", "heart", "2764"),
];

/** Later edits of messages. */
export const demoEdits: readonly {
  /** The beginning of the message. */
  readonly of: string;
  readonly by: CallerName;
  readonly content?: string;
  /** The channel and the topic to which the whole topic is moved. */
  readonly to?: readonly [string, string];
}[] = [
  { of: "We start", by: "member", content: "We start at **ten**, since the tower is locked until then." },
  { of: "We have", by: "owner", to: ["props", "skull"] },
];

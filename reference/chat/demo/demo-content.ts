import { roles } from "../roles.js";

/** The key of the demo organization. */
export const demoKey = "demo";

/** The people of the demo organization, by the local part of their e-mail address. */
export const demoPeople = {
  hamlet: { fullName: "Hamlet", role: roles.owner, part: "Prince" },
  gertrude: { fullName: "Gertrude", role: roles.administrator, part: "Queen" },
  horatio: { fullName: "Horatio", role: roles.moderator, part: "Scholar" },
  ophelia: { fullName: "Ophelia", role: roles.member, part: "Noblewoman" },
  laertes: { fullName: "Laertes", role: roles.member, part: "Fencer" },
  rosencrantz: { fullName: "Rosencrantz", role: roles.guest, part: "Courtier" },
} as const;

/** A person of the demo organization. */
export type DemoPerson = keyof typeof demoPeople;

/** All people except the guest. */
const company: readonly DemoPerson[] = ["hamlet", "gertrude", "horatio", "ophelia", "laertes"];

export const demoChannels = {
  general: { isDefault: true, isPrivate: false, subscribers: [...company, "rosencrantz"] },
  rehearsals: { isDefault: true, isPrivate: false, subscribers: company },
  props: { isDefault: false, isPrivate: false, subscribers: ["hamlet", "horatio", "ophelia"] },
  directors: { isDefault: false, isPrivate: true, subscribers: ["hamlet", "gertrude"] },
} as const satisfies Record<string, { isDefault: boolean; isPrivate: boolean; subscribers: readonly DemoPerson[] }>;

/** A channel of the demo organization. */
export type DemoChannel = keyof typeof demoChannels;

export const demoGroups: Readonly<Record<string, readonly DemoPerson[]>> = {
  stagehands: ["horatio", "ophelia"],
  fencers: ["hamlet", "laertes"],
};

/** The group that contains the others. */
export const demoSupergroup = "everybody-backstage";

export const demoLinkifier = {
  pattern: "scene (?P<act>[1-5])\\.(?P<scene>[1-7])",
  url_template: "https://shakespeare.example/hamlet/{act}/{scene}",
};

/** Only lists of options have choices. */
export const demoProfileFields = [
  { name: "Part", hint: "Whom you play", field_type: 1, field_data: {} },
  {
    name: "Dressing room",
    hint: "",
    field_type: 3,
    field_data: { "0": { text: "Tower", order: "1" }, "1": { text: "Cellar", order: "2" } },
  },
  { name: "Pronouns", hint: "", field_type: 8, field_data: {} },
] as const;

/** The uploaded file. `{upload}` in a message becomes a link to it. */
export const demoUpload = {
  name: "prompt-book.txt",
  mediaType: "text/plain",
  text: "Act 3, scene 2\nEnter the players.\nThe king rises. Lights.\n",
};

/** A message of the demo organization, with its later edits and moves. */
export interface DemoMessage {
  readonly from: DemoPerson;
  readonly minutesAgo: number;
  readonly content: string;
  /** A channel and a topic, or the other members of a direct conversation. */
  readonly to: readonly [DemoChannel, string] | readonly DemoPerson[];
  readonly reactions?: readonly (readonly [DemoPerson, emojiName: string, emojiCode: string])[];
  /** Content of a later edit. */
  readonly editedTo?: string;
  /** Target to which `hamlet` later moves the whole topic. */
  readonly movedTo?: readonly [DemoChannel, string];
}

const code = ["```python", "def ghost(act):", "    return 'Swear' if act == 1 else None", "```"].join("\n");

/** In the order of sending. */
export const demoMessages: readonly DemoMessage[] = [
  {
    from: "gertrude",
    minutesAgo: 2 * 24 * 60,
    to: ["general", "welcome"],
    content: "Welcome to the Elsinore players, @**Rosencrantz**. Rehearsals are planned in #**rehearsals**.",
    reactions: [
      ["hamlet", "wave", "1f44b"],
      ["rosencrantz", "tada", "1f389"],
    ],
  },
  {
    from: "horatio",
    minutesAgo: 26 * 60,
    to: ["general", "skulls"],
    content: "We have **one** skull for scene 5.1 and need a second. @*stagehands*, any idea?",
    movedTo: ["props", "skull"],
  },
  {
    from: "ophelia",
    minutesAgo: 25 * 60,
    to: ["props", "skull"],
    content: "There is a pattern to print at https://example.com/skull.",
    reactions: [
      ["horatio", "thumbs_up", "1f44d"],
      ["hamlet", "thumbs_up", "1f44d"],
    ],
  },
  {
    from: "hamlet",
    minutesAgo: 20 * 60,
    to: ["rehearsals", "act three"],
    content: "The prompt book for scene 3.2: {upload}",
  },
  { from: "laertes", minutesAgo: 19 * 60, to: ["rehearsals", "duel"], content: "@*fencers* who brings the foils?" },
  { from: "hamlet", minutesAgo: 18 * 60, to: ["rehearsals", "duel"], content: "/me sharpens his, and hides the cup" },
  {
    from: "horatio",
    minutesAgo: 17 * 60,
    to: ["rehearsals", "ghost"],
    content: `The ghost in three lines:\n\n${code}`,
  },
  {
    from: "ophelia",
    minutesAgo: 3 * 60,
    to: ["rehearsals", "act three"],
    content: "We start at nine.",
    editedTo: "We start at **ten**, since the tower is locked until then.",
  },
  {
    from: "gertrude",
    minutesAgo: 90,
    to: ["directors", "casting"],
    content: "Do we tell @**Laertes** about scene 5.2?",
  },
  { from: "ophelia", minutesAgo: 40, to: ["hamlet"], content: "My lord, I have remembrances of yours." },
  {
    from: "hamlet",
    minutesAgo: 5,
    to: ["rehearsals", "act three"],
    content: "Speak the speech, I pray you.",
    reactions: [["ophelia", "heart", "2764"]],
  },
];

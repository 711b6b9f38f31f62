import { describe, expect, it } from "vitest";
import { behaviourAt } from "../../../../../reference/chat/level-behaviour.js";
import {
  type MoveNoticeInput,
  moveNotices,
} from "../../../../../reference/chat/messages/edit-message/announce-move.js";
import { renderMessage } from "../../../../../reference/chat/rendering/render-message.js";

const caller = { id: 12, full_name: "Mira Member" };
const by = "by @_**Mira Member|12**.";
const toOther = "#**archive>moat**";
const fromHere = "#**design>castle**";

interface Given {
  old?: boolean;
  new?: boolean;
  level?: number;
  toChannel?: boolean;
  from?: string;
  to?: string;
  isResolution?: boolean;
  count?: number;
  isWholeTopic?: boolean;
  name?: string;
  channelName?: string;
}

function notices(given: Given) {
  const { from = "castle", to = "moat", count = 1, isWholeTopic = true, channelName = "design" } = given;
  const announced: MoveNoticeInput = {
    move: {
      fromTopic: from,
      toTopic: to,
      changesChannel: given.toChannel ?? true,
      isResolution: given.isResolution ?? false,
    },
    notifyOld: given.old,
    notifyNew: given.new,
    behaviour: behaviourAt(given.level ?? 415),
    count,
    isWholeTopic,
    from: { channelName, topic: from },
    to: { channelName: given.toChannel === false ? channelName : "archive", topic: to },
    caller: { ...caller, full_name: given.name ?? caller.full_name },
  };
  return moveNotices(announced);
}

describe("the notices of a move", () => {
  it.each([
    [{}, `This topic was moved to ${toOther} ${by}`, `This topic was moved here from ${fromHere} ${by}`],
    [
      { isWholeTopic: false },
      `A message was moved from this topic to ${toOther} ${by}`,
      `A message was moved here from ${fromHere} ${by}`,
    ],
    [
      { isWholeTopic: false, count: 3 },
      `3 messages were moved from this topic to ${toOther} ${by}`,
      `3 messages were moved here from ${fromHere} ${by}`,
    ],
  ])("link the topic: %j", (given, inOld, inNew) => {
    expect(notices({ ...given, old: true })).toEqual({ inOld, inNew });
  });

  it.each([
    ["topic", { from: "@**all**" }],
    ["topic", { from: "** @**all** **" }],
    ["topic", { from: "[x](https://example.org)" }],
    ["topic", { from: "`x` <b>* https://example.org" }],
    ["channel", { channelName: "a** @**topic** [x](/user_uploads/1/2/x.png)" }],
    ["channel", { channelName: "a>b" }],
    ["name", { name: "x** @**all**" }],
    ["name", { name: "x|9** @*staff*" }],
    ["name", { name: "*x*\n\n> @**Otto**" }],
  ])("mention and link nothing for a %s: %j", (_, given: Given) => {
    const { inNew = "" } = notices(given);
    const rendered = renderMessage(inNew, {
      linkifiers: [],
      findUser: (name, id) => ({ id: id ?? 99, name }),
      findGroup: (name) => ({ id: 5, name, memberIds: [1, 2, 3] }),
      findChannel: (name) => (name === (given.channelName ?? "design") ? { id: 3, name } : undefined),
    });
    expect(rendered).toMatchObject({ mentionsChannel: false, mentionsTopic: false });
    expect([...rendered.mentionedUserIds, ...rendered.uploadPaths]).toEqual([]);
    expect(rendered.html).not.toContain('href="https://');
  });
});

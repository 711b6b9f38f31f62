import { describe, expect, it } from "vitest";
import { createEpisodes, maxEpisodes } from "../../../../src/traffic/rest/clients/create-rule-watch.js";

const episode = (caller: string, endedAt: number, remembered: Readonly<Record<string, unknown>>) => ({
  caller,
  endedAt,
  remembered,
});

describe("createEpisodes", () => {
  it("returns the episodes of a caller", () => {
    const episodes = createEpisodes("caller");
    episodes.add(episode("iago", 1, { id: 1 }));
    episodes.add(episode("hamlet", 2, { id: 2 }));
    expect([...episodes.of("iago")].map(({ endedAt }) => endedAt)).toEqual([1]);
    expect([...episodes.of("aaron")]).toEqual([]);
  });

  it("returns the episodes of all callers", () => {
    const episodes = createEpisodes("anyone");
    episodes.add(episode("iago", 1, { id: 1 }));
    episodes.add(episode("hamlet", 2, { id: 2 }));
    expect([...episodes.of("aaron")].map(({ endedAt }) => endedAt)).toEqual([1, 2]);
  });

  it("keeps the first of several equal episodes, even with integers above 2^53", () => {
    const episodes = createEpisodes("caller");
    episodes.add(episode("iago", 1, { id: 2n ** 60n }));
    episodes.add(episode("iago", 2, { id: 2n ** 60n }));
    expect([...episodes.of("iago")].map(({ endedAt }) => endedAt)).toEqual([1]);
  });

  it("forgets the oldest when there are too many", () => {
    const episodes = createEpisodes("caller");
    for (let id = 0; id < maxEpisodes + 5; id++) episodes.add(episode(id < 3 ? "hamlet" : "iago", id, { id }));
    const left = [...episodes.of("iago")];
    expect(left.length).toBeLessThanOrEqual(maxEpisodes);
    expect(left.length).toBeGreaterThan(maxEpisodes / 2);
    expect(left.at(-1)?.endedAt).toBe(maxEpisodes + 4);
    expect([...episodes.of("hamlet")]).toEqual([]);
  });

  it("forgets the oldest when they are too long, and does not remember texts beyond the bound", () => {
    const episodes = createEpisodes("caller");
    for (let id = 0; id < 50; id++) episodes.add(episode("iago", id, { id, text: "x".repeat(40_000) }));
    expect([...episodes.of("iago")].length).toBeLessThan(26);
    episodes.add(episode("aaron", 60, { text: "x".repeat(60_000) }));
    expect([...episodes.of("aaron")]).toEqual([]);
  });

  it("removes an episode", () => {
    const episodes = createEpisodes("caller");
    const one = episode("iago", 1, { id: 1 });
    episodes.add(one);
    episodes.remove(one);
    expect([...episodes.of("iago")]).toEqual([]);
  });
});

import type { Case } from "../../../contract/chat/cases.js";
import { createStatesClient, type StatesClientOptions, type StatesOutcome } from "../states/states-client.js";

type Given = Case["given"];

/**
 * The organizations of probes that start from the same states. They share one for as long as no request can have changed it, since
 * setting one up costs far more than a request.
 */
export interface ProbeOrganizations {
  /** The one that is shared; set up when there is none. Rejects with a `StateSetupError`. */
  readonly shared: () => Promise<StatesOutcome>;
  /** The shared one and the other one may be changed; the next probe gets fresh ones. */
  readonly spoil: () => void;
  /** A fresh one, which becomes the shared one. */
  readonly fresh: () => Promise<StatesOutcome>;
  /** Another organization with the same states, whose texts carry `foreignMark`; set up when there is none. */
  readonly foreign: () => Promise<StatesOutcome>;
}

/** Stands in texts of the other organization, and nowhere else. */
export const foreignMark = "zqforeignqz";

/** Creates organizations on demand for probes that start from these states. */
export function createProbeOrganizations(
  statesUrl: string,
  given: Given,
  options?: StatesClientOptions,
): ProbeOrganizations {
  const client = createStatesClient(statesUrl, options);
  let current: StatesOutcome | undefined;
  let other: StatesOutcome | undefined;
  let failure: unknown;
  const setUp = async (states: Given) => {
    // States that could not be set up once are not tried again for each probe.
    if (failure !== undefined) throw failure;
    try {
      return await client.setUp(states);
    } catch (error) {
      failure = error;
      throw error;
    }
  };
  const fresh = async () => {
    current = await setUp(given);
    return current;
  };
  return {
    fresh,
    shared: async () => current ?? fresh(),
    spoil: () => {
      current = undefined;
      other = undefined;
    },
    foreign: async () => {
      other ??= await setUp(given.map(marked));
      return other;
    },
  };
}

/** Parameters of states that are free texts: nothing else in the states refers to them. */
const freeTexts: ReadonlySet<string> = new Set(["content", "contents", "status_text", "text", "full_name"]);

function marked(state: Given[number]): Given[number] {
  const mark = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(mark) : `${String(value)} ${foreignMark}`;
  const params = Object.entries(state.params).map(([name, value]) => [name, freeTexts.has(name) ? mark(value) : value]);
  return { ...state, params: Object.fromEntries(params) };
}

import type { Case } from "../../../contract/chat/cases.js";
import { createStatesClient, type StatesClientOptions, type StatesOutcome } from "../states/states-client.js";

type Given = Case["given"];

/**
 * The organizations of probes that start from the same states. Probes share one until a request may have changed it, because setting one
 * up takes far longer than a request.
 */
export interface ProbeOrganizations {
  /** Returns the shared organization, and sets it up on demand. Rejects with a `StateSetupError`. */
  readonly shared: () => Promise<StatesOutcome>;
  /** Records that both organizations may have changed, so that the next probe gets fresh ones. */
  readonly spoil: () => void;
  /** Sets up a fresh organization, which becomes the shared one. */
  readonly fresh: () => Promise<StatesOutcome>;
  /** Returns another organization with the same states, whose texts contain `foreignMark`, and sets it up on demand. */
  readonly foreign: () => Promise<StatesOutcome>;
}

/** Occurs in texts of the other organization, and nowhere else. */
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
    // If a setup failed once, the other probes do not repeat it.
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

/** Parameters of states with free text, to which nothing else in the states refers. */
const freeTexts: ReadonlySet<string> = new Set(["content", "contents", "status_text", "text", "full_name"]);

function marked(state: Given[number]): Given[number] {
  const mark = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(mark) : `${String(value)} ${foreignMark}`;
  const params = Object.entries(state.params).map(([name, value]) => [name, freeTexts.has(name) ? mark(value) : value]);
  return { ...state, params: Object.fromEntries(params) };
}

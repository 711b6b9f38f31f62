import type { LostRequest } from "../../judge/exchange.js";
import type { Need } from "../../report/model/check-result.js";
import type { StateSetupError } from "../states/states-client.js";
import type { Session } from "./session.js";

/** Why a provider state could not be set up: the server lacks it and may, or something is wrong. */
export interface SetupFailure {
  readonly kind: "lacking" | "not-run";
  readonly reason: string;
  /** What the server lacks, if that is a provider state or a value of one. */
  readonly need?: Need;
  /** What a handler of the state must return. */
  readonly help?: string;
  /** The request that got no response. Undefined if it says nothing about the server under test. */
  readonly lost?: LostRequest;
  /** Whether the server responded. */
  readonly isAnswered: boolean;
}

/** Finds out what a failed setup says about the server. */
export async function setupFailure(
  error: StateSetupError,
  params: object,
  session: Pick<Session, "helpFor" | "lacks">,
): Promise<SetupFailure> {
  const { state, status, isOfGateway, message: reason } = error;
  if (status === undefined) {
    // The server may be away. What sets up its states is not under test.
    const lost = {
      kind: isOfGateway ? "gateway" : "unreachable",
      request: `the setup of ${state}`,
      rules: [],
    } as const;
    return { kind: "not-run", reason, isAnswered: false, lost };
  }
  if (await session.lacks(state, status))
    return { kind: "lacking", reason, need: { kind: "state", state }, isAnswered: true };
  return { kind: "not-run", reason, help: await session.helpFor(state, params), isAnswered: true };
}

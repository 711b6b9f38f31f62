import type { Need } from "../model/check-result.js";
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
  /** Whether the server responded. */
  readonly isAnswered: boolean;
}

/** Finds out what a failed setup says about the server. */
export async function setupFailure(error: StateSetupError, params: object, session: Session): Promise<SetupFailure> {
  const { state, status, message: reason } = error;
  if (status === undefined) return { kind: "not-run", reason, isAnswered: false };
  if (await session.lacks(state, status))
    return { kind: "lacking", reason, need: { kind: "state", state }, isAnswered: true };
  return { kind: "not-run", reason, help: await session.helpFor(state, params), isAnswered: true };
}

import type { GivenState } from "../../../../src/contract/rest/document.js";

/** A provider state of a test. */
export function state(name: string, params: Readonly<Record<string, unknown>> = {}): GivenState {
  return { state: name, params };
}

/** An organization with other than default settings. */
export function organization(settings: Readonly<Record<string, unknown>>): GivenState {
  return state("organization", { settings });
}

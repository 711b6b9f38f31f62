import type { RequestValues } from "../../request/create-encode.js";
import { inputsOf } from "../../request/operation.js";
import type { ChatOperation } from "../operation.js";
import { type FeatureName, supports } from "../supports.js";

/** The server's feature level does not support the call, so the client did not send it. */
export class UnsupportedFeatureError extends Error {
  override readonly name = "UnsupportedFeatureError";
  /** The feature, such as `messages.edit.prev_content_sha256`. */
  readonly feature: string;

  constructor(feature: string, serverLevel: number) {
    super(`${feature} is not available on a server of feature level ${serverLevel}`);
    this.feature = feature;
  }
}

/** Throws an `UnsupportedFeatureError` for a call with an operation or parameter that a server of a level lacks. */
export function refuseUnsupported(operation: ChatOperation, values: RequestValues, level: number): void {
  const used = inputsOf(operation).flatMap(({ name }) => (values[name] === undefined ? [] : name));
  for (const feature of [operation.feature, ...used.map((name) => `${operation.feature}.${name}`)]) {
    if (!supports(level, feature as FeatureName)) throw new UnsupportedFeatureError(feature, level);
  }
}

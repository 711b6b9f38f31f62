/** A call was refused because the server's feature level does not have what it needs. */
export class UnsupportedFeatureError extends Error {
  override readonly name = "UnsupportedFeatureError";
  /** The feature, such as `messages.edit.prev_content_sha256`. */
  readonly feature: string;

  constructor(feature: string, serverLevel: number) {
    super(`${feature} is not available on a server of feature level ${serverLevel}`);
    this.feature = feature;
  }
}

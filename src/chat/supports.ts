import { type FeatureName, featureLevels } from "../../generated/chat/feature-levels.js";

export type { FeatureName };

/**
 * Whether a server of the given feature level supports a feature: an operation such as `messages.edit`, or one of its parameters or
 * response fields such as `messages.edit.prev_content_sha256`. `messages.edit.send_notification_to_old_thread@152` is the change of a
 * feature at level 152, and `topics.mute@170` a deprecation; `generated/guides/feature-levels.md` lists all of them.
 *
 * `level` is the `service_feature_level` of GET /server_settings; undefined, if the server sends none, counts as 0. Features
 * without a documented level exist at every level.
 */
export function supports(level: number | undefined, feature: FeatureName): boolean {
  const serverLevel = level ?? 0;
  const [, changedAt] = feature.split("@");
  if (changedAt !== undefined) return serverLevel >= Number(changedAt);
  const { added = 0, removed }: { readonly added?: number; readonly removed?: number } = featureLevels[feature] ?? {};
  return serverLevel >= added && (removed === undefined || serverLevel < removed);
}

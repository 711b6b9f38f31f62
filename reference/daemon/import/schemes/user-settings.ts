import type { Settings } from "./read-query.js";
import type { Credentials } from "./split-credentials.js";

/** The settings `username` and `password`, as far as a link has them. */
export function userSettings({ user, password }: Credentials): Settings {
  const settings: Settings = {};
  if (user !== "") settings.username = user;
  if (password !== undefined && password !== "") settings.password = password;
  return settings;
}

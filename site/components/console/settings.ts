import { reactive, watch } from "vue";
import { defaultServers } from "./server-url.js";

/**
 * The settings that all consoles share. They stay in memory, or in the storage of the tab if the user asks for it, and never appear in the
 * address.
 */
export interface Settings {
  chat: string;
  daemon: string;
  email: string;
  apiKey: string;
  /** Whether the settings are in `sessionStorage`, which survives a reload and ends with the tab. */
  keeps: boolean;
}

const key = "accord-console";

const initial: Settings = {
  chat: defaultServers.chat[0].url,
  daemon: defaultServers.daemon[0].url,
  // The mock accepts any.
  email: "me@example.com",
  apiKey: "key",
  keeps: false,
};

let shared: Settings | undefined;

/** The shared settings, including those that the tab has kept. For browsers only. */
export function useSettings(): Settings {
  if (shared === undefined) {
    const settings = reactive({ ...initial, ...readKept() });
    watch(settings, (changed) => {
      if (changed.keeps) sessionStorage.setItem(key, JSON.stringify(changed));
      else sessionStorage.removeItem(key);
    });
    shared = settings;
  }
  return shared;
}

function readKept(): Partial<Settings> {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(key) ?? "{}");
    const texts = Object.entries(typeof kept === "object" && kept !== null ? kept : {}).filter(
      ([name, value]) => Object.hasOwn(initial, name) && typeof value === typeof Reflect.get(initial, name),
    );
    return Object.fromEntries(texts);
  } catch {
    return {};
  }
}

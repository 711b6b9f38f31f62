import { type Reactive, reactive } from "vue";
import { defaultServers } from "./server-url.js";

/** The settings that all consoles share. They stay in memory until the page is reloaded, and never appear in the address. */
export interface Settings {
  chat: string;
  daemon: string;
  email: string;
  apiKey: string;
}

/** The shared settings, at first those of the mock, which does not check whose credentials it gets. */
export const settings: Reactive<Settings> = reactive({
  chat: defaultServers.chat[0].url,
  daemon: defaultServers.daemon[0].url,
  email: "me@example.com",
  apiKey: "key",
});

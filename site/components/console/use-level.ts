import { onMounted, onUnmounted, type Ref, ref } from "vue";
import { newestLevel } from "../../../generated/chat/request-levels.js";

/** The event of `window` after the level in the address has changed without a navigation. */
export const levelEvent = "accord-level";

/** The level in the address of the page (`?level=300`), or else the newest. Follows the address; a console may choose another. */
export function useLevel(): Ref<number> {
  const level = ref(newestLevel);
  const follow = () => {
    level.value = readLevel(location.search);
  };
  onMounted(() => {
    follow();
    addEventListener("popstate", follow);
    addEventListener(levelEvent, follow);
  });
  onUnmounted(() => {
    removeEventListener("popstate", follow);
    removeEventListener(levelEvent, follow);
  });
  return level;
}

/** Reads the level from the query of an address; the newest if there is none. */
export function readLevel(query: string): number {
  const text = new URLSearchParams(query).get("level") ?? "";
  const level = /^\d+$/.test(text) ? Number(text) : newestLevel;
  return Math.min(level, newestLevel);
}

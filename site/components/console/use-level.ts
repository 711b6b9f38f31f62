import { computed, ref, type WritableComputedRef, watch } from "vue";
import { newestLevel } from "../../../generated/chat/request-levels.js";
import { chosenLevel } from "../../client/level-state.js";

/** The level of the console: that of the page, or another one that the user chose. Always an integer from 0 to the newest level. */
export function useLevel(): WritableComputedRef<number> {
  const own = ref<number>();
  watch(chosenLevel, () => {
    own.value = undefined;
  });
  return computed({
    get: () => own.value ?? chosenLevel.value ?? newestLevel,
    // While the user types, a number field may be empty.
    set: (level: unknown) => {
      if (Number.isInteger(level)) own.value = Math.min(Math.max(Number(level), 0), newestLevel);
    },
  }) as WritableComputedRef<number>;
}

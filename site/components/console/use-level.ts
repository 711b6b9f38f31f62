import { computed, ref, type WritableComputedRef, watch } from "vue";
import { newestLevel } from "../../../generated/chat/request-levels.js";
import { chosenLevel } from "../../client/level-state.js";

/** The level of the page, unless a person chooses another one in the console. Holds only levels that the contract knows. */
export function useLevel(): WritableComputedRef<number> {
  const own = ref<number>();
  watch(chosenLevel, () => {
    own.value = undefined;
  });
  return computed({
    get: () => own.value ?? chosenLevel.value ?? newestLevel,
    // A number field also holds what is not yet a number.
    set: (level: unknown) => {
      if (Number.isInteger(level)) own.value = Math.min(Math.max(Number(level), 0), newestLevel);
    },
  }) as WritableComputedRef<number>;
}

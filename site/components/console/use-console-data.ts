import { withBase } from "vitepress";
import { onMounted, type Ref, ref, shallowRef } from "vue";

/** The data of a console, once it is loaded. */
export interface ConsoleData<Data> {
  readonly data: Readonly<Ref<Data | undefined>>;
  /** Why it could not be loaded. */
  readonly problem: Readonly<Ref<string | undefined>>;
}

/** Loads the data of the console of an operation or RPC, then calls `ready`. */
export function useConsoleData<Data>(name: string, ready: (data: Data) => void): ConsoleData<Data> {
  const data = shallowRef<Data>();
  const problem = ref<string>();
  onMounted(async () => {
    try {
      const response = await fetch(withBase(`/console/${name}.json`));
      if (!response.ok) throw new Error(`status ${response.status}`);
      data.value = (await response.json()) as Data;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      problem.value = `The console could not be loaded: ${reason}. Reload the page.`;
      return;
    }
    ready(data.value);
  });
  return { data, problem };
}

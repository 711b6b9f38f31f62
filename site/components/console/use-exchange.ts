import { type ComputedRef, computed, onUnmounted, type Ref, ref, watch } from "vue";
import type { HttpRequest } from "../../../src/judge/http-message.js";
import type { Judgement } from "./judge.js";
import { type Answer, type Outcome, send } from "./send.js";

/** The response to the request of a console, and whether it fits the contract. A change of the request removes it. */
export interface Exchange {
  /** Undefined until a response arrives or the call fails. */
  readonly outcome: Readonly<Ref<Outcome | undefined>>;
  readonly judgement: Readonly<Ref<Judgement | undefined>>;
  readonly isPending: ComputedRef<boolean>;
  /** Sends the request and judges the response. Does nothing while other work of the console runs. */
  readonly submit: () => Promise<void>;
  /** Judges the response again, by another level. */
  readonly judge: () => Promise<void>;
  /** Runs other work of the console. Does nothing while work runs. */
  readonly run: (work: (signal: AbortSignal) => Promise<void>) => Promise<void>;
  /** Aborts the running work. */
  readonly cancel: () => void;
}

/** Creates the exchange of a console. `judgeAnswer` rejects if it cannot be loaded. */
export function useExchange(
  request: Readonly<Ref<HttpRequest | undefined>>,
  judgeAnswer: (answer: Answer) => Promise<Judgement>,
): Exchange {
  const outcome = ref<Outcome>();
  const judgement = ref<Judgement>();
  const running = ref<AbortController>();

  function forget(): void {
    outcome.value = undefined;
    judgement.value = undefined;
  }

  async function run(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    if (running.value !== undefined) return;
    const controller = new AbortController();
    running.value = controller;
    try {
      await work(controller.signal);
    } finally {
      running.value = undefined;
    }
  }

  async function judge(): Promise<void> {
    const { value: judged } = outcome;
    if (judged?.kind !== "answer") return;
    const found = await judgeAnswer(judged).catch(
      (): Judgement => ({ kind: "unknown", reason: "The contract could not be loaded. Reload the page." }),
    );
    // The response may have been replaced meanwhile.
    if (outcome.value === judged) judgement.value = found;
  }

  watch(request, forget);
  const cancel = () => running.value?.abort();
  onUnmounted(cancel);
  return {
    outcome,
    judgement,
    isPending: computed(() => running.value !== undefined),
    submit: () =>
      run(async (signal) => {
        if (request.value === undefined) return;
        forget();
        const sent = request.value;
        const received = await send(sent, signal);
        if (request.value !== sent) return;
        outcome.value = received;
        await judge();
      }),
    judge,
    run,
    cancel,
  };
}

/** An event from before the page was ready, kept by `earlyEventsScript`. */
interface EarlyEvent {
  readonly type: "click" | "input" | "change" | "keydown";
  readonly target: EventTarget | null;
  /** The value of a field, which Vue overwrites when it takes over the page. */
  readonly value?: string;
  readonly keys?: KeyboardEventInit;
}

interface EarlyEvents {
  readonly kept: readonly EarlyEvent[];
  readonly stop: () => void;
}

/**
 * The script that keeps events until the page is ready. It is in the head of each page, because the page shows its buttons before its
 * script has loaded.
 */
export const earlyEventsScript = `(() => {
  const kept = [];
  const types = ["click", "input", "change", "keydown"];
  const keep = ({ type, target, key, ctrlKey, metaKey }) => {
    // Links and folded parts need no script.
    const place = type === "click" ? target.closest?.("button") : target;
    if (!place) return;
    if (type === "keydown") kept.push({ type, target, keys: { key, ctrlKey, metaKey, bubbles: true, cancelable: true } });
    else kept.push({ type, target: place, value: target.value });
  };
  for (const type of types) addEventListener(type, keep, true);
  window.earlyEvents = { kept, stop: () => types.forEach((type) => removeEventListener(type, keep, true)) };
})()`;

/** Repeats the kept events, now that the page is ready. Later calls have no effect. */
export function replayEarlyEvents(): void {
  const page = window as { earlyEvents?: EarlyEvents };
  const { earlyEvents } = page;
  if (earlyEvents === undefined) return;
  delete page.earlyEvents;
  earlyEvents.stop();
  for (const event of earlyEvents.kept) replay(event);
}

function replay({ type, target, value, keys }: EarlyEvent): void {
  if (target instanceof HTMLButtonElement && type === "click") target.click();
  else if (type === "keydown") target?.dispatchEvent(new KeyboardEvent(type, keys));
  else if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) {
    if (value !== undefined) target.value = value;
    target.dispatchEvent(new Event(type, { bubbles: true }));
  }
}

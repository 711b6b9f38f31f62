import { type Html, html } from "../../../src/verify/report/html/html.js";
import type { DiagramStep } from "./diagram-steps.js";

/** Sizes in pixels. Text is monospaced, so that its width follows from its length. */
const size = { lane: 84, gap: 470, margin: 50, line: 16, letter: 7.25, head: 34 } as const;
const lettersPerLine = Math.floor((size.gap - 24) / size.letter);

/** Links from the page of the diagram to rules and operations. */
export interface DiagramLinks {
  readonly rule: (id: string) => string;
  readonly operation: (operationId: string) => string;
}

interface Line {
  readonly text: string;
  readonly className: string;
  readonly href?: string;
}

/**
 * Draws a workflow as a sequence diagram, with a lane for each caller and one for the server. Mermaid is no alternative: it needs a
 * browser, and its ports to Node cut off long texts and load fonts from the network.
 */
export function sequenceSvg(
  title: string,
  callers: readonly string[],
  steps: readonly DiagramStep[],
  links: DiagramLinks,
): Html {
  const left = (index: number) => size.margin + index * size.lane;
  const lanes = new Map(callers.map((caller, index) => [caller, left(index)]));
  const last = left(Math.max(0, callers.length - 1));
  const server = last + size.gap;
  const width = server + size.margin;
  const parts: Html[] = [];
  let y = size.head + 18;
  for (const [index, step] of steps.entries()) {
    const drawn =
      step.kind === "state"
        ? drawState(step, { y, server })
        : drawCall(step, index + 1, { y, last, server, from: lanes.get(step.caller) ?? last }, links);
    parts.push(drawn.content);
    y = drawn.end;
  }
  const lifelines = [...lanes.values(), server].map(
    (x) => html`<line class="lifeline" x1="${x}" y1="${size.head}" x2="${x}" y2="${y}"/>`,
  );
  const heads = [...lanes, ["server", server] as const].map(
    ([name, x]) =>
      html`<g class="lane"><rect x="${x - 40}" y="2" width="80" height="${size.head - 4}" rx="5"/><text x="${x}" y="${size.head / 2 + 4}">${name.length > 11 ? `${name.slice(0, 10)}…` : name}</text></g>`,
  );
  return html`<svg class="sequence" viewBox="0 0 ${width} ${y + 6}" width="${width}" height="${y + 6}" role="group" aria-label="${title}">${lifelines}${heads}${parts}</svg>`;
}

interface Drawn {
  readonly content: Html;
  readonly end: number;
}

function drawState(
  { name, sent, values }: DiagramStep,
  { y, server }: { readonly y: number; readonly server: number },
): Drawn {
  const start = size.margin - 40;
  const width = server + 40 - start;
  const letters = Math.floor((width - 24) / size.letter);
  const lines: Line[] = [
    { text: `given ${name}`, className: "name", href: `../states.html#state-${name}` },
    ...wrapText(sent.join(", "), letters).map((text) => ({ text, className: "sent" })),
    ...wrapText(values.length === 0 ? "" : `gives ${values.join(", ")}`, letters).map((text) => ({
      text,
      className: "values",
    })),
  ];
  const height = lines.length * size.line + 12;
  const content = html`<g class="state"><rect x="${start}" y="${y}" width="${width}" height="${height}" rx="4"/>${writeLines(lines, start + 12, y + 18)}</g>`;
  return { content, end: y + height + 14 };
}

interface CallPlace {
  readonly y: number;
  readonly last: number;
  readonly server: number;
  readonly from: number;
}

function drawCall(step: DiagramStep, number: number, { y, last, server, from }: CallPlace, links: DiagramLinks): Drawn {
  const wrapped = (text: string, className: string) =>
    wrapText(text, lettersPerLine).map((line) => ({ text: line, className }));
  const request: Line[] = [
    { text: `${number}. ${step.name}`, className: "name", href: links.operation(step.name) },
    ...wrapped(step.sent.join(", "), "sent"),
  ];
  const values = step.values.length === 0 ? "" : `gives ${step.values.join(", ")}`;
  const answer: Line[] = [
    { text: step.status, className: "status" },
    ...step.expected.flatMap((text) => wrapped(text, "expected")),
    ...wrapped(values, "values"),
    ...step.rules.map((rule) => ({ text: rule, className: "rule", href: links.rule(rule) })),
  ];
  const sentAt = y + request.length * size.line;
  const answeredAt = sentAt + 24 + size.line;
  const x = last + 12;
  const content = html`<g class="step">${writeLines(request, x, y + 8)}${arrow(from, server, sentAt, "request")}${writeLines(answer, x, answeredAt - 8, true)}${arrow(server, from, answeredAt, "answer")}</g>`;
  return { content, end: answeredAt + (answer.length - 1) * size.line + 22 };
}

/** Writes lines of text, the first one above `y`. The lines of a response leave room for its arrow after the first one. */
function writeLines(lines: readonly Line[], x: number, y: number, isAnswer = false): Html {
  return html`${lines.map(({ text, className, href }, index) => {
    const at = y + index * size.line + (isAnswer && index > 0 ? 10 : 0);
    const written = html`<text class="${className}" x="${x}" y="${at}">${text}</text>`;
    return href === undefined ? written : html`<a href="${href}">${written}</a>`;
  })}`;
}

/** Draws the head of the arrow as a path, because the id of a marker would have to be unique on the page. */
function arrow(from: number, to: number, y: number, className: string): Html {
  const back = to > from ? -8 : 8;
  return html`<g class="arrow ${className}"><line x1="${from}" y1="${y}" x2="${to}" y2="${y}"/><path d="M${to + back} ${y - 4} L${to} ${y} L${to + back} ${y + 4}"/></g>`;
}

/** Breaks a text into lines of at most `max` characters, at spaces if possible. An empty text has no lines. */
function wrapText(text: string, max: number): string[] {
  const lines: string[] = [];
  let rest = text;
  while (rest.length > max) {
    const space = rest.lastIndexOf(" ", max);
    const end = space > max / 2 ? space : max;
    lines.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return rest === "" ? lines : [...lines, rest];
}

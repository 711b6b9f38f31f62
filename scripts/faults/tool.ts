import type { Behaviour, OperationId } from "../../test/faults/chat/behaviour.js";

/** A behaviour that a tool is to look at. */
export interface Subject {
  readonly behaviour: Behaviour;
  /** The operations that it is about: the tools are confined to these. */
  readonly operations: readonly OperationId[];
  /** What the verification is confined to besides, as `--only` takes it. */
  readonly looksAt: readonly string[];
  /** Where the server behind the behaviour is. */
  readonly reference: { readonly url: string };
  /** Where the reference server is as it is. */
  readonly plain: { readonly url: string };
}

/** A tool that may notice a fault. */
export interface Tool {
  readonly name: string;
  /** What it reports of the behaviour that it does not report of the server as it is. */
  readonly report: (subject: Subject) => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
}

/** What a tool reports about the reference server as it is, found out once for each set of operations. */
export function createBaselines(find: (subject: Subject) => Promise<readonly string[]>): Tool["report"] {
  const known = new Map<string, Promise<readonly string[]>>();
  const transparent: Behaviour = { on: [], start: () => (request, forward) => forward(request) };
  return (subject) => {
    const { operations, plain } = subject;
    const key = operations.join(" ");
    const baseline = known.get(key) ?? find({ ...subject, behaviour: transparent, reference: plain });
    known.set(key, baseline);
    return baseline;
  };
}

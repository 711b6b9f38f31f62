import type { Behaviour, OperationId } from "./chat/behaviour.js";

/** A behaviour to measure. */
export interface Subject {
  readonly behaviour: Behaviour;
  /** The affected operations; tools run only on these. */
  readonly operations: readonly OperationId[];
  /** Further restricts `accord verify`, in the format of `--only`. */
  readonly checkedBy: readonly string[];
  /** The server behind the behaviour. */
  readonly reference: { readonly url: string };
  /** An unmodified reference server. */
  readonly plain: { readonly url: string };
}

/** A tool that may catch a fault. */
export interface Tool {
  readonly name: string;
  /** Returns the findings about the behaviour, without those about the unmodified server. */
  readonly report: (subject: Subject) => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
}

/** Returns the findings of a tool about the unmodified reference server, computed once for each set of operations. */
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

/** Returns a function that computes a value when it is first called, and keeps it. What `compute` throws is not kept. */
export function once<Value>(compute: () => Value): () => Value {
  let computed: { readonly value: Value } | undefined;
  return () => {
    computed ??= { value: compute() };
    return computed.value;
  };
}

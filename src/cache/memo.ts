/** A function that remembers what it found for a key. */
type Memo<Key, Rest extends readonly unknown[], Value> = (key: Key, ...rest: Rest) => Value;

/**
 * Makes something once for a key and gives the very same value from then on. An object is known by its identity, for as
 * long as it lives; of other keys (a text, a revision) the `most` that came last are known, the oldest goes first. What
 * `make` throws is not remembered. For values that never leave the process and are asked for without waiting; what grows
 * old or is asked for elsewhere is a namespace.
 */
export function memo<Key, Rest extends readonly unknown[], Value>(
  make: Memo<Key, Rest, Value>,
  most = 1,
): Memo<Key, Rest, Value> {
  const byObject = new WeakMap<WeakKey, { readonly value: Value }>();
  const byKey = new Map<Key, { readonly value: Value }>();
  return (key, ...rest) => {
    const isObject = (typeof key === 'object' && key !== null) || typeof key === 'function';
    const known = isObject ? byObject.get(key) : byKey.get(key);
    if (known !== undefined) return known.value;
    const made = { value: make(key, ...rest) };
    if (isObject) byObject.set(key, made);
    else {
      if (byKey.size >= most) for (const oldest of byKey.keys().take(1)) byKey.delete(oldest);
      byKey.set(key, made);
    }
    return made.value;
  };
}

/** The oldest entry makes room for a new one, so that no stream of odd patterns or zones fills the memory. */
export function remembered<Key, Value>(
  known: Map<Key, Value>,
  most: number,
  key: Key,
  make: (key: Key) => Value,
): Value {
  const found = known.get(key);
  if (found !== undefined) return found;
  const made = make(key);
  if (known.size >= most) for (const oldest of known.keys().take(1)) known.delete(oldest);
  known.set(key, made);
  return made;
}

/** JSON of anything; a list may be any iterable, whose items are made while they are written. */
export function* jsonParts(value: unknown): Generator<string> {
  if (sizeOf(value, MAX_AT_ONCE) <= MAX_AT_ONCE) {
    yield JSON.stringify(value);
  } else if (isIterable(value)) {
    let before = '[';
    for (const items of smallAndLarge(value)) {
      yield before;
      if (items.length === 1) yield* jsonParts(items[0] ?? null);
      else yield JSON.stringify(items).slice(1, -1);
      before = ',';
    }
    yield before === '[' ? '[]' : ']';
  } else {
    let before = '{';
    for (const [name, member] of Object.entries(Object(value))) {
      if (member === undefined) continue;
      yield `${before}${JSON.stringify(name)}:`;
      yield* jsonParts(member);
      before = ',';
    }
    yield before === '{' ? '{}' : '}';
  }
}

/** Number of values that are written at once, in a fraction of a millisecond. */
const MAX_AT_ONCE = 1000;

/** Items in order: as many small ones as are written at one go, or a large one alone. */
function* smallAndLarge(items: Iterable<unknown>): Generator<readonly unknown[]> {
  let some: unknown[] = [];
  let left = MAX_AT_ONCE;
  for (const item of items) {
    const size = sizeOf(item, MAX_AT_ONCE);
    if (size > left && some.length > 0) {
      yield some;
      some = [];
      left = MAX_AT_ONCE;
    }
    if (size > MAX_AT_ONCE) {
      yield [item];
      continue;
    }
    some.push(item);
    left -= size;
  }
  if (some.length > 0) yield some;
}

/** The number of values in an object; more than `max` where these are too many, or are made while they are written. */
function sizeOf(value: unknown, max: number): number {
  if (typeof value !== 'object' || value === null) return 1;
  if (!Array.isArray(value) && isIterable(value)) return Number.POSITIVE_INFINITY;
  let size = 1;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length && size <= max; i += 1) size += sizeOf(value[i], max - size);
    return size;
  }
  // The members are counted without a list of them, which would take as long as writing them.
  for (const name in value) {
    if (Object.hasOwn(value, name)) size += sizeOf(Reflect.get(value, name), max - size);
    if (size > max) break;
  }
  return size;
}

/** True for a value that is made of items; a text is as well. */
export function isIterable(value: unknown): value is Iterable<unknown> {
  return (
    typeof value === 'string' || (typeof value === 'object' && value !== null && Symbol.iterator in value)
  );
}

/** Items in pieces of a size, the last one maybe shorter, taken from where they come from as they are wanted. */
export function* chunked<Item>(items: Iterable<Item>, size: number): Generator<readonly Item[], undefined> {
  let chunk: Item[] = [];
  for (const item of items) {
    chunk.push(item);
    if (chunk.length < size) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}

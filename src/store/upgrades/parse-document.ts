/** Reads back what `JSON.stringify` wrote into a document column; the store is the only writer of those. */
export function parseDocument<Value>(document: unknown): Value {
  return JSON.parse(String(document));
}

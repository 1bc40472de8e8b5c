import type { TermStorage } from '../../src/store/packed/issue-terms.ts';

interface Undoable {
  /** What it has. */
  take(): ReadonlyMap<string, readonly string[]>;
  /** It has that again, and nothing more. */
  putBack(terms: ReadonlyMap<string, readonly string[]>): void;
}

/** Terms that are kept as long as the process. */
export function createTermsInMemory(): TermStorage & Undoable {
  const storage = new Map<string, string[]>();
  const of = (kind: string) => {
    const terms = storage.get(kind) ?? [];
    storage.set(kind, terms);
    return terms;
  };
  return {
    read: (kind, first, end) =>
      of(kind)
        .slice(first, end)
        .map((json, i) => ({ number: first + i, json })),
    take: () => new Map([...storage].map(([kind, terms]) => [kind, [...terms]])),
    putBack(terms) {
      storage.clear();
      for (const [kind, kept] of terms) storage.set(kind, [...kept]);
    },
    put(kind, { number, json }) {
      if (of(kind).push(json) !== number + 1) throw new Error(`${number} is no next number.`);
    },
  };
}

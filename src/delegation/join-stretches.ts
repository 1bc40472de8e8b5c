import type { TimeSpan } from '../model/delegation.ts';

/** Stretches that are told in order of time, of which those that adjoin and tell the same are made one. */
export interface JoinedStretches<Fact> {
  /** `of` is whom and what it is about: of one there is one fact at a time. */
  add(of: readonly unknown[], fact: Fact, span: TimeSpan): void;
  /** In the order in which they began to be told. */
  all(): readonly (Fact & TimeSpan)[];
}

export function joinStretches<Fact>(isSame: (a: Fact, b: Fact) => boolean): JoinedStretches<Fact> {
  const stretches: (TimeSpan & { readonly fact: Fact })[] = [];
  const latest = new Map<string, number>();
  return {
    add(of, fact, { from, until }) {
      const key = JSON.stringify(of);
      const index = latest.get(key) ?? stretches.length;
      const before = stretches[index];
      if (before?.until === from && isSame(before.fact, fact)) {
        stretches[index] = { ...before, until };
        return;
      }
      latest.set(key, stretches.length);
      stretches.push({ fact, from, until });
    },
    all: () => stretches.map(({ fact, from, until }) => ({ ...fact, from, until })),
  };
}

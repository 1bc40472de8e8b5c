import type { Unknowns } from '../../model/answer.ts';
import type { IssueLife } from './finished.ts';

/** What nobody can tell of some issues. */
export function doubtsOf(lives: readonly IssueLife[]): Unknowns {
  return {
    sinceUnknown: lives.flatMap(({ facts: { key }, finish }) => {
      const untold = finish?.untold ?? null;
      return untold === null ? [] : [{ key, reason: untold.reason }];
    }),
    unclear: lives.flatMap(({ facts: { key }, unclear }) =>
      unclear === null ? [] : [{ key, reason: unclear }],
    ),
    withoutCategory: [...new Set(lives.flatMap((life) => life.withoutCategory))],
  };
}

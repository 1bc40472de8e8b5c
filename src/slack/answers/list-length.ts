import type { Told } from '../../api/answers.ts';

/** How many issues the list of an answer has, whichever part of it is told; null for what is no list. */
export function listLength(told: Told): number | null {
  switch (told.kind) {
    case 'report':
      return told.table.page?.total ?? null;
    case 'aging':
      return told.aging.count;
    case 'mine': {
      const { own, covered } = told.mine;
      return covered.reduce((sum, { aging }) => sum + aging.count, own.count);
    }
    case 'issue':
    case 'weekly':
    case 'compare':
      return null;
  }
}

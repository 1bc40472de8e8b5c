import type { Nudge } from '../../src/model/nudge.ts';

/** Ada nudged ben about WEB-1 on March 18, 2026, at noon (UTC). */
export function aNudge(more: Partial<Nudge> = {}): Nudge {
  return {
    id: 'WEB-1 ben 2026-03-18',
    key: 'WEB-1',
    link: null,
    visit: { statusId: '3', since: Date.parse('2026-03-14T12:00:00Z') },
    person: { id: 'ben', name: 'Ben' },
    account: 'U0BEN',
    by: 'U0ADA',
    thread: null,
    at: Date.parse('2026-03-18T12:00:00Z'),
    answer: null,
    isReturned: false,
    note: {},
    ...more,
  };
}

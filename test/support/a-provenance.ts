import type { BrowseScope } from '../../src/model/request.ts';
import type { Provenance } from '../../src/model/table.ts';

/** Where the figures of three whole issues come from. */
export function aProvenance(more: Partial<Provenance> = {}): Provenance {
  const at = Date.parse('2026-03-18T11:00:00Z');
  return {
    reportType: 'statusDuration',
    calendar: {
      id: null,
      name: 'normalHours',
      timeZone: 'UTC',
      dailyMs: 86_400_000,
      equalDays: true,
      continuous: true,
    },
    askedAt: at,
    asOf: at,
    dataAsOf: null,
    tracker: 'sample',
    trim: { from: null, to: null },
    timeZone: 'UTC',
    complete: true,
    issues: 3,
    cutHistories: 0,
    query: null,
    undecided: 0,
    ...more,
  };
}

/** Of somebody to whom no rule applies. */
export const aScope = { closedProjects: [], openLevels: [], everything: false } satisfies BrowseScope;

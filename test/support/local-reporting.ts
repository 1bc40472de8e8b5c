import type { CreditedDelegates } from '../../src/api/delegations/delegation-api.ts';
import { createLocalReporting } from '../../src/api/reporting/create-local-reporting.ts';
import { createPageLists, type PageLists } from '../../src/api/reporting/load-page.ts';
import type { ReportingApi } from '../../src/api/reporting/reporting-api.ts';
import { inMemory } from '../../src/cache/namespace.ts';
import type { Mirror } from '../../src/mirror/mirror.ts';
import type { ProjectFlow } from '../../src/model/flow.ts';
import type { CalendarDefinition } from '../../src/model/settings.ts';

const normalHours: CalendarDefinition = {
  id: null,
  name: 'normalHours',
  timeZone: 'UTC',
  workingTimes: [],
  holidays: [],
};

/** The reporting port over a mirror, with the built-in calendar and others that are handed in. */
export function localReporting(
  mirror: Mirror,
  now: () => number,
  {
    calendars = [],
    pages = createPageLists({ stored: inMemory, now }),
    timeZone = 'UTC',
    flows = [],
    credited = { times: () => [], categories: [], revision: () => '' },
  }: {
    readonly calendars?: readonly CalendarDefinition[];
    readonly pages?: PageLists;
    readonly timeZone?: string;
    readonly flows?: readonly ProjectFlow[];
    readonly credited?: CreditedDelegates;
  } = {},
): ReportingApi {
  let ids = 0;
  return createLocalReporting({
    mirror: async () => mirror,
    calendars: async () => [normalHours, ...calendars],
    flows: async () => flows,
    pages,
    now,
    newId: () => `00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}`,
    timeZone,
    delegateTimes: async () => credited,
  });
}

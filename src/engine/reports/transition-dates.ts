import { reportIds } from '../../model/report-ids.ts';
import { ABSENT, FIRST_VALUE } from '../columns/value-codes.ts';
import { type FieldVisits, NONE } from '../visits/field-visits.ts';
import { nowhere, statusKeys } from './measuring/report-keys.ts';
import type { Measure, ReportType } from './measuring/report-type.ts';

/** The date of the first entry into each status. */
export const firstTransitionToStatusDate: ReportType = {
  id: reportIds.firstTransitionToStatusDate,
  title: 'First Transition To Status Date',
  ...dates(entry, 'first'),
};

/** The date of the last entry into each status. */
export const lastTransitionToStatusDate: ReportType = {
  id: reportIds.lastTransitionToStatusDate,
  title: 'Last Transition To Status Date',
  ...dates(entry, 'last'),
};

/** The date of the first exit from each status. */
export const firstTransitionFromStatusDate: ReportType = {
  id: reportIds.firstTransitionFromStatusDate,
  title: 'First Transition From Status Date',
  ...dates(exit, 'first'),
};

/** The date of the last exit from each status. */
export const lastTransitionFromStatusDate: ReportType = {
  id: reportIds.lastTransitionFromStatusDate,
  title: 'Last Transition From Status Date',
  ...dates(exit, 'last'),
};

/** An entry into a status, or an exit from it; `code` is `ABSENT` if there is none, `at` null if it is unknown. */
interface StatusEvent {
  readonly code: number;
  readonly at: number | null;
}

/**
 * The entry into the status of a visit. Being created in a status counts as entering it, and so does being in it at the
 * start of a trim window.
 */
function entry(visits: FieldVisits, i: number): StatusEvent {
  return { code: visits.codes[i] ?? ABSENT, at: visits.since(i) };
}

/**
 * The exit from the status of a visit, if another visit follows; the end of a trim window is not an exit. The visit
 * before the first change after unknown time is known only by that change, so its exit is at the end of the gap.
 */
function exit({ codes, bounds, count, gap, cameFrom }: FieldVisits, i: number): StatusEvent {
  if (i + 1 >= count) return { code: ABSENT, at: null };
  const end = bounds[i + 1];
  if (i === gap) return { code: cameFrom, at: end };
  return { code: codes[i] ?? ABSENT, at: i + 1 === gap ? null : end };
}

function dates(
  eventOf: (visits: FieldVisits, i: number) => StatusEvent,
  which: 'first' | 'last',
): Omit<ReportType & { shape: 'issue' }, 'id' | 'title'> {
  return {
    shape: 'issue',
    options: [],
    requires: [],
    sharesOut: false,
    kind: 'instant',
    levels: ['status'],
    composite: false,
    fields: 'status',
    hasVisits: false,
    readsCut: () => false,
    keys: (vocabulary, context) => statusKeys(vocabulary, context, 'instant'),
    measure: datesOf(eventOf, which),
    current: nowhere,
  };
}

/** Measures the first or last event of each status; there is no date if unknown time could hide another one. */
function datesOf(eventOf: (visits: FieldVisits, i: number) => StatusEvent, which: 'first' | 'last'): Measure {
  return ({ statuses: visits }, { statuses: { at, slots } }, sink) => {
    const seen = new Set<number>();
    return () => {
      const { count, gap, bounds } = visits;
      const isHidden = (instant: number) =>
        gap !== NONE &&
        (which === 'first'
          ? bounds[gap] < instant
          : bounds[gap + 1] > instant || (gap === count - 1 && visits.isOpen));
      seen.clear();
      for (let i = 0; i < count; i += 1) {
        const { code, at: instant } = eventOf(visits, which === 'first' ? i : count - 1 - i);
        if (code < FIRST_VALUE) continue;
        for (const slot of slots.subarray(at[code], at[code + 1])) {
          if (seen.has(slot)) continue;
          seen.add(slot);
          if (instant === null || isHidden(instant)) sink.observe(slot, code, 0);
          else sink.add(slot, instant, 0, code, 0);
        }
      }
    };
  };
}

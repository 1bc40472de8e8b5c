import { millisecondsInDay } from 'date-fns/constants';
import type { Delegation } from '../../model/delegation.ts';
import type { Instant } from '../../model/issue.ts';
import type { Absence } from './absences.ts';
import { delegationId, monthOf } from './delegation-id.ts';
import type { Office, OfficeName } from './office.ts';
import { isoWeekday } from './office-hours.ts';
import { type Person, people } from './people.ts';
import { createRandom } from './random.ts';

/**
 * What people arrange before a vacation: somebody covers for everything, from its first midnight to its last. Nobody
 * has two vacations that begin in one month, so the person's place in the company's list is the slot of the id.
 */
export function vacationDelegations(
  absences: readonly Absence[],
  offices: Readonly<Record<OfficeName, Office>>,
): Delegation[] {
  return absences
    .filter(({ reason }) => reason === 'vacation')
    .flatMap((absence) => {
      const at = people.findIndex(({ id }) => id === absence.who);
      const person = people[at];
      if (person === undefined) return [];
      const id = delegationId(monthOf(localDay(absence.from)), at + 1);
      return [
        {
          id,
          version: 1,
          active: true,
          delegator: absence.who,
          delegates: [delegateOf(person, absence)],
          categoryIds: [],
          start: absence.from,
          end: absence.until,
          notes: noteOf(id, dayOfReturn(offices[person.office], absence.until)),
        },
      ];
    });
}

/** Ada always asks Bob, so that who stands in for her expenses is the same on any day. */
function delegateOf({ id }: Person, { cover }: Absence): string {
  return id === 'ada' ? 'bob' : cover;
}

function noteOf(id: number, back: string): string {
  return createRandom('note', id).pick([
    `Back on ${back}.`,
    `Back on ${back}, with tea.`,
    `Without a laptop; back on ${back}.`,
    `On a train somewhere. Back on ${back}.`,
    `By phone if a kettle is on fire, else from ${back}.`,
  ]);
}

const dayName = new Intl.DateTimeFormat('en-GB', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  timeZone: 'UTC',
});

/** The first day of work from a local midnight on, such as Monday 7 September. */
function dayOfReturn(office: Office, until: Instant): string {
  const holidays = new Set(office.holidays.map(({ date }) => Date.parse(date)));
  let day = localDay(until);
  while (isoWeekday(day) > 5 || holidays.has(day)) day += millisecondsInDay;
  // Whether a comma stands behind the weekday differs between versions of the Unicode data.
  const parts = dayName.formatToParts(day).filter(({ type }) => type !== 'literal');
  return parts.map(({ value }) => value).join(' ');
}

/** The UTC midnight of the date that begins with a local midnight. */
function localDay(midnight: Instant): Instant {
  return Math.floor((midnight + millisecondsInDay / 2) / millisecondsInDay) * millisecondsInDay;
}

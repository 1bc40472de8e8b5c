import { millisecondsInDay } from 'date-fns/constants';
import type { Delegation } from '../../model/delegation.ts';
import type { Directory, Sprint } from '../../model/directory.ts';
import type { CalendarDefinition } from '../../model/settings.ts';
import { isoDay, months, weekdays } from '../../time/date-text.ts';

import { dayOf, isWeekday, weekdayOf, yearOf } from '../../time/wall-clock.ts';
import { company } from './company.ts';
import { createRandom } from './random.ts';
import { localMidnight, type World } from './sample-world.ts';

/** Ids of delegations stay below 100,001, where those begin that were set in Dwell: for 166 years. */
const SLOTS = 50;
const FIRST_STANDING = 21;
const FIRST_YEAR = 2000;

/** The directory beside the issues, as of today; the well-known names of priorities give their order. */
export function describeCompany(world: World): Omit<Directory, 'priorities' | 'versions'> {
  const { sprints, offices, from, today } = world;
  return {
    sprints: sprints.map(({ value, start, end }): Sprint => {
      const state = end <= today ? 'closed' : start <= today ? 'active' : 'future';
      return { ...value, state, start, end, completed: state === 'closed' ? end : null, board: '1' };
    }),
    ...company.directory,
    calendars: Object.values(offices),
    parameterSets: company.parameterSets.map((set) => ({ ...set, createdAt: from, updatedAt: from })),
    categories: company.categories,
    delegations: [...vacationDelegations(world), ...standingDelegations(world)].sort((a, b) => a.id - b.id),
  };
}

/**
 * The delegations for vacations: one person covers everything. No person has two vacations that begin in one month, so
 * the person's place in the company's list is the slot of the id.
 */
function vacationDelegations({ absences, offices }: World): Delegation[] {
  return absences.flatMap(({ who, start, end, cover, reason }) => {
    const place = company.people.findIndex(({ id }) => id === who);
    const person = company.people[place];
    if (reason !== 'vacation' || person === undefined) return [];
    const id = monthOf(localDay(start)) * SLOTS + place + 1;
    const note = createRandom('note', id).pick(company.vacationNotes);
    const notes = note.replace('{day}', dayOfReturn(offices[person.office], localDay(end)));
    // Bob always covers for Ada, so that the delegate of her expenses is the same on any day.
    const delegates = [who === 'ada' ? 'bob' : cover];
    return { id, version: 1, active: true, delegator: who, delegates, categoryIds: [], start, end, notes };
  });
}

/** The first day of work from a day on, such as Monday 7 September. */
function dayOfReturn({ holidays }: CalendarDefinition, from: number): string {
  let day = from;
  while (!isWeekday(day) || holidays.some(({ date }) => date === isoDay(day))) day += millisecondsInDay;
  const date = new Date(day);
  return `${weekdays[weekdayOf(day)]} ${date.getUTCDate()} ${months[date.getUTCMonth()]}`;
}

/** Every standing arrangement that touches the time that is shown, the same from whatever day it is looked at. */
function standingDelegations({ from, plannedUntil }: World): Delegation[] {
  return company.standing.flatMap(({ everyMonths, fromDay, until, ...arrangement }, i) => {
    const { delegator, delegates, category, notes, active = true } = arrangement;
    const what = { version: 1, active, delegator, delegates, categoryIds: [category] };
    const shown: Delegation[] = [];
    for (let month = monthOf(from) - everyMonths; month <= monthOf(plannedUntil); month += 1) {
      const berlin = (later: number, day: number) =>
        localMidnight('Europe/Berlin', Date.UTC(FIRST_YEAR, month + later, day));
      const [start, end] = [berlin(0, fromDay), berlin(until.monthsLater, until.day)];
      if (month % everyMonths !== 0 || end <= from || start >= plannedUntil) continue;
      const id = month * SLOTS + FIRST_STANDING + i;
      shown.push({ id, ...what, start, end, notes });
    }
    return shown;
  });
}

/** Months are counted from January 2000. */
const monthOf = (day: number) => (yearOf(day) - FIRST_YEAR) * 12 + new Date(day).getUTCMonth();

/** The UTC midnight of the date that begins with a local midnight. */
const localDay = (midnight: number) => dayOf(midnight + millisecondsInDay / 2);

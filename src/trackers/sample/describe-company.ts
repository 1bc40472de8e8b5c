import { millisecondsInDay, millisecondsInMinute } from 'date-fns/constants';
import type { Delegation } from '../../model/delegation.ts';
import type { Directory, Sprint } from '../../model/directory.ts';
import type { Instant } from '../../model/issue.ts';
import { type CalendarDefinition, weekdays } from '../../model/settings.ts';
import { confidentialRule } from './issue-seeds.ts';
import { createRandom } from './random.ts';
import type { World } from './sample-world.ts';
import * as data from './seed-data.ts';
import { isoWeekday, localMidnight, type Office } from './working-hours.ts';

/** Ids of delegations stay below 100,001, where those begin that were set in Dwell: for 166 years. */
const SLOTS = 50;
const FIRST_YEAR = 2000;

/** What the tracker knows beside the issues, as of today. */
export function describeCompany(world: World): Directory {
  const { sprints, offices, from, today } = world;
  const longDay = [1, 2, 3, 4, 5].map((weekday) => ({ weekday, from: 7 * 60, until: 19 * 60 }));
  return {
    sprints: sprints.map(({ value, start, end }): Sprint => {
      const state = end <= today ? 'closed' : start <= today ? 'active' : 'future';
      return { ...value, state, start, end, completed: state === 'closed' ? end : null, board: '1' };
    }),
    filters: data.filters,
    groups: [
      ...(['WEB', 'APP', 'OPS'] as const).map(data.groupOf),
      { id: 'jira-administrators', name: 'jira-administrators', members: ['ada'] },
    ],
    fields: data.fields,
    issueTypes: Object.entries(data.issueTypes).map(([name, id]) => ({ id, name, subtask: false })),
    access: [confidentialRule],
    calendars: [
      calendarOf(1, offices.Berlin),
      calendarOf(2, offices['New York']),
      calendarOf(3, { ...offices.Berlin, name: 'Service desk', shifts: longDay }),
    ],
    parameterSets: data.parameterSets.map((set) => ({
      ...set,
      public: true,
      createdAt: from,
      updatedAt: from,
    })),
    categories: data.categories,
    delegations: [...vacationDelegations(world), ...standingDelegations(world)].sort((a, b) => a.id - b.id),
  };
}

function calendarOf(id: number, { name, timeZone, shifts, holidays }: Office): CalendarDefinition {
  const workingTimes = shifts.flatMap(({ weekday: number, from, until }) => {
    const weekday = weekdays[number - 1];
    const [start, end] = [from * millisecondsInMinute, until * millisecondsInMinute];
    return weekday === undefined ? [] : [{ weekday, start, end }];
  });
  return { id, name, timeZone, workingTimes, holidays };
}

/**
 * What people arrange before a vacation: somebody covers for everything, from its first midnight to its last. Nobody
 * has two vacations that begin in one month, so the person's place in the company's list is the slot of the id.
 */
function vacationDelegations({ absences, offices }: World): Delegation[] {
  return absences.flatMap(({ who, from, until, cover, reason }) => {
    const at = data.people.findIndex(({ id }) => id === who);
    const person = data.people[at];
    if (reason !== 'vacation' || person === undefined) return [];
    const id = delegationId(monthOf(localDay(from)), at + 1);
    const note = createRandom('note', id).pick(data.vacationNotes);
    return {
      id,
      version: 1,
      active: true,
      delegator: who,
      // Ada always asks Bob, so that who covers her expenses is the same on any day.
      delegates: [who === 'ada' ? 'bob' : cover],
      categoryIds: [],
      start: from,
      end: until,
      notes: note.replace('{day}', dayOfReturn(offices[person.office], until)),
    };
  });
}

const dayName = new Intl.DateTimeFormat('en-GB', {
  ...{ weekday: 'long', day: 'numeric', month: 'long' },
  timeZone: 'UTC',
});

/** The first day of work from a local midnight on, such as Monday 7 September. */
function dayOfReturn(office: Office, until: Instant): string {
  const holidays = new Set(office.holidays.map(({ date }) => Date.parse(date)));
  let day = localDay(until);
  while (isoWeekday(day) > 5 || holidays.has(day)) day += millisecondsInDay;
  // Whether a comma follows the weekday differs between versions of the Unicode data.
  const parts = dayName.formatToParts(day).filter(({ type }) => type !== 'literal');
  return parts.map(({ value }) => value).join(' ');
}

/** Every standing arrangement that touches the time that is shown, the same from whatever day it is looked at. */
function standingDelegations({ from, plannedUntil, offices }: World): Delegation[] {
  return data.standing.flatMap(({ slot, everyMonths, fromDay, until, category, ...rest }) => {
    const { active, delegator, delegates, notes } = rest;
    const shown: Delegation[] = [];
    for (let month = monthOf(from) - everyMonths; month <= monthOf(plannedUntil); month += 1) {
      const berlin = (later: number, day: number) =>
        localMidnight(offices.Berlin.timeZone, Date.UTC(FIRST_YEAR, month + later, day));
      const [start, end] = [berlin(0, fromDay), berlin(until.monthsLater, until.day)];
      if (month % everyMonths !== 0 || end <= from || start >= plannedUntil) continue;
      const [id, categoryIds] = [delegationId(month, slot), [category]];
      shown.push({ id, version: 1, active, delegator, delegates, categoryIds, start, end, notes });
    }
    return shown;
  });
}

/** Months are counted from January 2000; `day` is a UTC midnight. */
function monthOf(day: Instant): number {
  const date = new Date(day);
  return (date.getUTCFullYear() - FIRST_YEAR) * 12 + date.getUTCMonth();
}

/** Id of a delegation by the month it begins in and its slot, from 1 to 50; the same on whatever day it is shown. */
function delegationId(month: number, slot: number): number {
  return month * SLOTS + slot;
}

/** The UTC midnight of the date that begins with a local midnight. */
function localDay(midnight: Instant): Instant {
  return Math.floor((midnight + millisecondsInDay / 2) / millisecondsInDay) * millisecondsInDay;
}

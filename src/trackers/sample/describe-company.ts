import { millisecondsInMinute } from 'date-fns/constants';
import type { Delegation } from '../../model/delegation.ts';
import type { Directory, SavedFilter, Sprint } from '../../model/directory.ts';
import {
  type CalendarDefinition,
  type ParameterSet,
  type WorkingTime,
  weekdays,
} from '../../model/settings.ts';
import { categories } from './categories.ts';
import { confidentialRule } from './confidential.ts';
import { fieldNames } from './field-names.ts';
import { typeIds } from './nature.ts';
import type { Office } from './office.ts';
import { type Sprint as PlannedSprint, sprintValue } from './sprints.ts';
import { standingDelegations } from './standing-delegations.ts';
import { done, inProgress, inReview, qa } from './statuses.ts';
import { groups } from './teams.ts';
import { vacationDelegations } from './vacation-delegations.ts';
import type { World } from './world.ts';

const WEB_BOARD = '1';

/** What the tracker knows beside the issues, as of today. */
export function describeCompany(world: World): Directory {
  const { sprints, offices, from, today } = world;
  return {
    sprints: sprints.map((sprint) => asOf(today, sprint)),
    filters,
    groups,
    fields: fieldNames,
    issueTypes: Object.entries(typeIds).map(([name, id]) => ({ id, name, subtask: false })),
    access: [confidentialRule],
    calendars: [
      calendarOf(1, offices.Berlin),
      calendarOf(2, offices['New York']),
      serviceDesk(offices.Berlin),
    ],
    parameterSets: parameterSets.map((set) => ({ ...set, public: true, createdAt: from, updatedAt: from })),
    categories,
    delegations: delegationsOf(world),
  };
}

function delegationsOf({ absences, offices, from, plannedUntil }: World): Delegation[] {
  return [
    ...vacationDelegations(absences, offices),
    ...standingDelegations({ from, until: plannedUntil }),
  ].sort((a, b) => a.id - b.id);
}

const filters: readonly SavedFilter[] = [
  {
    id: '10001',
    name: 'Open bugs of the web shop',
    jql: 'project = WEB AND issuetype = Bug AND statusCategory != Done ORDER BY priority DESC, created ASC',
    owner: 'ada',
    shared: true,
  },
  {
    id: '10002',
    name: 'Unfinished in the running sprint',
    jql: 'sprint in openSprints() AND statusCategory != Done ORDER BY updated DESC',
    owner: 'ada',
    shared: true,
  },
  {
    id: '10003',
    name: 'Web shop work that was ever blocked',
    jql: 'project = WEB AND status was Blocked ORDER BY created DESC',
    owner: 'ada',
    shared: false,
  },
];

const parameterSets: readonly Omit<ParameterSet, 'public' | 'createdAt' | 'updatedAt'>[] = [
  {
    id: '6f1f1c52-3a52-4c0e-9d0b-5d9a8f0e7a01',
    name: 'Review times',
    ownerId: 'ada',
    parameters: {
      reportType: 'statusDuration',
      filterType: 'project',
      projectKey: 'WEB',
      statuses: [inReview.id, qa.id],
      aggregationType: 'median',
      groupByFields: ['issuetype'],
      calendar: 'Berlin',
      viewFormat: 'hours',
    },
  },
  {
    id: '6f1f1c52-3a52-4c0e-9d0b-5d9a8f0e7a02',
    name: 'App lead times',
    ownerId: 'kira',
    parameters: {
      reportType: 'durationBetweenStatuses',
      filterType: 'project',
      projectKey: 'APP',
      dbsMetrics: [
        { name: 'Lead time', startAt: { type: 'issueCreation' }, stopAt: { type: 'status', ids: [done.id] } },
        {
          name: 'Cycle time',
          startAt: { type: 'status', ids: [inProgress.id] },
          stopAt: { type: 'status', ids: [done.id] },
        },
      ],
      aggregationType: 'average',
      viewFormat: 'days',
    },
  },
];

function asOf(today: number, sprint: PlannedSprint): Sprint {
  const { start, end } = sprint;
  const state = end <= today ? 'closed' : start <= today ? 'active' : 'future';
  return {
    ...sprintValue(sprint),
    state,
    start,
    end,
    completed: state === 'closed' ? end : null,
    board: WEB_BOARD,
  };
}

/** When somebody answers requests: the same long day from Monday to Friday. */
function serviceDesk(office: Office): CalendarDefinition {
  const workingTimes = weekdays.slice(0, 5).map(
    (weekday): WorkingTime => ({
      weekday,
      start: 7 * 60 * millisecondsInMinute,
      end: 19 * 60 * millisecondsInMinute,
    }),
  );
  return { ...calendarOf(3, office), name: 'Service desk', workingTimes };
}

function calendarOf(id: number, { name, timeZone, shifts, holidays }: Office): CalendarDefinition {
  const workingTimes = shifts.flatMap(({ weekday, from, until }): WorkingTime[] => {
    const day = weekdays[weekday - 1];
    return day === undefined
      ? []
      : [{ weekday: day, start: from * millisecondsInMinute, end: until * millisecondsInMinute }];
  });
  return { id, name, timeZone, workingTimes, holidays };
}

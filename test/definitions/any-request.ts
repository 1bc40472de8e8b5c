import fc from 'fast-check';
import type { ReportingApi } from '../../src/api/reporting/reporting-api.ts';
import { defaultBlockers } from '../../src/model/flow.ts';
import type { Instant, Issue } from '../../src/model/issue.ts';
import { ask, type BetweenMetric, type ReportRequest, type Statistic } from '../../src/model/request.ts';
import type { Table } from '../../src/model/table.ts';
import { calendarOf, normalHours } from '../../src/time/calendar.ts';
import { anInstant } from '../support/arbitrary-issue.ts';
import { principalOf } from '../support/principal-of.ts';
import { type AnyWorld, calendars, fieldNames, groups, now, statusIds } from './any-world.ts';
import type { DefinedQuestion } from './question.ts';

const someStatuses = (minLength = 0) => fc.subarray([...statusIds], { minLength, maxLength: 2 });
const aSide = (minLength: number) =>
  fc.record({ statuses: someStatuses(minLength), visit: fc.constantFrom('first', 'last') });

/** A metric between two statuses. */
export const aMetric: fc.Arbitrary<BetweenMetric> = fc.record({
  name: fc.constantFrom('Lead', 'Wait'),
  from: aSide(0),
  to: aSide(1),
  pausedIn: fc.subarray([...statusIds], { maxLength: 1 }),
});

const fields = ['status', 'assignee', 'priority', 'points', 'labels', 'missing'] as const;

/** Mostly null. */
const rarely = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> =>
  fc.oneof({ weight: 2, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: value });

/** An instant at which issues change, or after they did. */
const anEdge = fc.oneof(
  { weight: 4, arbitrary: anInstant },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('2026-03-10T00:00:00Z', '2026-03-29T01:00:00Z')
      .map((text) => Date.parse(text)),
  },
);

/** A request of all issues, with everything that a report of a type can be asked with. */
export const anyRequest = (reportType: string): fc.Arbitrary<ReportRequest> =>
  fc
    .record({
      asOf: fc.oneof(fc.constant(null), fc.constant(Date.parse('2026-03-20T10:00:00Z')), anInstant),
      trim: fc.record({ from: rarely(anEdge), to: rarely(anEdge) }),
      calendar: fc.constantFrom('normalHours', ...calendars.map(({ name }) => name)),
      statuses: rarely(fc.subarray([...statusIds])),
      consolidated: fc.constantFrom<ReportRequest['consolidated']>(
        [],
        [{ name: 'Both', statuses: ['1', '3'] }],
        [
          { name: 'Both', statuses: ['1', '3'] },
          { name: 'More', statuses: ['3', '2'] },
        ],
      ),
      includeDeletedStatuses: fc.boolean(),
      multiVisitBehavior: fc.constantFrom('total', 'first', 'last', 'average'),
      metrics: fc.uniqueArray(aMetric, { minLength: 1, maxLength: 2, selector: ({ name }) => name }),
      historyFields: fc.subarray([...fields], { minLength: 1, maxLength: 2 }),
      groups: fc.option(fc.subarray(groups.map(({ id }) => id))),
      timePeriod: fc.constantFrom('Day', 'Week', 'Month', 'Quarter', 'Year'),
    } as const)
    .map((choices) =>
      ask({
        ...choices,
        ...{ principal: principalOf('ada', 'admin'), reportType },
        selection: { by: 'jql', jql: 'order by key' },
        creditDelegates: reportType === 'assigneeDuration' ? [] : null,
      }),
    );

/** Any of the statistics. */
export const anyStatistic: fc.Arbitrary<Statistic> = fc.record({
  type: fc.constantFrom('average', 'sum', 'median', 'standardDeviation', 'percentile'),
  denominator: fc.constantFrom('nonNull', 'all'),
  deviation: fc.constantFrom('population', 'sample'),
  percentile: fc.integer({ min: 0, max: 100 }),
});

/** The issues of a world that there were as of a request. */
export function existing({ issues }: AnyWorld, { asOf }: ReportRequest) {
  return issues.filter(({ created }) => created <= (asOf ?? now));
}

/** Some issues in the order of an answer. */
export function inOrderOf({ issues }: Pick<Table, 'issues'>, some: readonly Issue[]): readonly Issue[] {
  return issues.flatMap(({ key }) => some.find((issue) => issue.key === key) ?? []);
}

/** A request with what a world says beside its issues; which statuses are gone is for the catalog of statuses to say. */
export async function questionIn(
  { users, credited }: AnyWorld,
  request: ReportRequest,
  api: ReportingApi,
): Promise<DefinedQuestion> {
  const definition = calendars.find(({ name }) => name === request.calendar);
  const calendar = definition === undefined ? normalHours : calendarOf(definition);
  const asOf: Instant = request.asOf ?? now;
  const titles = new Map([
    ...fieldNames.map(({ id, name }): [string, string] => [id, name]),
    ...['status', 'assignee', 'priority', 'labels'].map((id): [string, string] => [
      id,
      `${id.slice(0, 1).toUpperCase()}${id.slice(1)}`,
    ]),
  ]);
  return {
    ...{ request, asOf, between: calendar.between, timeZone: calendar.timeZone },
    statuses: new Map((await api.statuses(request.principal)).map((status) => [status.id, status])),
    userNames: new Map(users.map(({ id, name }) => [id, name])),
    groups: request.groups === null ? groups : groups.filter(({ id }) => request.groups?.includes(id)),
    fieldTitles: titles,
    delegateTimes: request.creditDelegates === null ? () => [] : credited.times,
    // All statuses of these worlds are done.
    blocked: {
      ...{ issues: [], flags: [], isDone: () => true, counts: () => false },
      blockedBy: () => defaultBlockers,
    },
  };
}

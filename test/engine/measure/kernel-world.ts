import fc from 'fast-check';
import type { InTurns } from '../../../src/concurrency/cooperative-yield.ts';
import { IssueColumns } from '../../../src/engine/columns/issue-columns.ts';
import type { Layout } from '../../../src/engine/measure/build-table.ts';
import type { ColumnSources } from '../../../src/engine/measure/kernels/table-of-columns.ts';
import { historySource, rowContent } from '../../../src/engine/measure/own-cells.ts';
import { isListed } from '../../../src/engine/measure/select-columns.ts';
import type { MeasureContext } from '../../../src/engine/reports/measuring/report-type.ts';
import type { FieldContent, Issue, Status } from '../../../src/model/issue.ts';
import type { CalendarDefinition } from '../../../src/model/settings.ts';
import type { Column } from '../../../src/model/table.ts';
import { calendarOf, normalHours } from '../../../src/time/calendar.ts';
import { periodAt } from '../../../src/time/periods.ts';
import { aMetric } from '../../definitions/any-request.ts';
import { anyWorld, calendars } from '../../definitions/any-world.ts';
import { anInstant } from '../../support/arbitrary-issue.ts';
import { anyStandInTimes } from '../../support/arbitrary-stand-ins.ts';

export const inTurns: InTurns = {
  map: async (items, of) => Array.from(items, of),
  sort: async (items, compare) => items.toSorted(compare),
};

/** Contents that no world has otherwise: texts with commas, and several values under other names. */
const moreFields = fc.record({
  notes: fc.constantFrom<FieldContent>(null, '', '1, 2', '1', '2, 1'),
  components: fc.constantFrom<FieldContent>(
    null,
    [{ id: '1', name: 'Api' }],
    [
      { id: '2', name: 'Web' },
      { id: '1', name: 'API' },
      { id: '2', name: 'Web' },
    ],
  ),
});

const aPart = fc.record({
  fields: moreFields,
  hasPriority: fc.boolean(),
  // Jira shows it under an id of its own.
  projectId: fc.option(fc.constantFrom('10000', '10001')),
});

/** Issues of two projects, odd ones and cut ones among them, some with values that are called otherwise. */
export const aWorld = fc.tuple(anyWorld(), fc.array(aPart, { maxLength: 6 })).map(([{ issues }, parts]) =>
  parts.flatMap(({ fields: more, hasPriority, projectId }, i): Issue[] => {
    const issue = issues[i];
    if (issue === undefined) return [];
    const { priority, ...others } = issue.fields;
    const project = projectId === null ? {} : { project: { ...issue.project, id: projectId } };
    const fields = { ...others, ...more, ...(hasPriority ? { priority } : {}), ...project };
    return [{ ...issue, fields }];
  }),
);

const aStatus = fc.constantFrom<string>('1', '2', '3', '4');

const knownStatuses: fc.Arbitrary<ReadonlyMap<string, Status>> = fc
  .uniqueArray(
    fc.record({ id: aStatus, deleted: fc.boolean(), listed: fc.boolean(), unlisted: fc.boolean() }),
    {
      selector: ({ id }) => id,
    },
  )
  .map(
    (list) =>
      new Map(
        list.map(({ unlisted, ...one }) => [
          one.id,
          { ...one, name: `Status ${one.id}`, category: 'Done', ...(unlisted ? { unlisted } : {}) },
        ]),
      ),
  );

const groupColumn = (id: string, kind: Column['kind'] = 'text'): Column => ({
  id,
  title: id,
  kind,
  part: 'group',
});
const aGroupBy = fc.uniqueArray(
  fc.constantFrom(
    ...[
      'issuetype',
      'priority',
      'status',
      'assignee',
      'project',
      'points',
      'notes',
      'labels',
      'components',
      'missing',
    ].map((id) => groupColumn(id)),
    ...['projectKey', 'projectName', 'statusCategory', 'createdDay', 'resolvedMonth'].map((id) =>
      groupColumn(`calc:${id}`),
    ),
  ),
  { maxLength: 2, selector: ({ id }) => id },
);

const historyFields = [
  'status',
  'assignee',
  'priority',
  'points',
  'labels',
  'components',
  'missing',
] as const;

/** Brackets from samples of few rows: some miss what they are for, some reach beyond all amounts. */
export const aSampling = fc.record({
  rowsFrom: fc.constant(0),
  sampleRows: fc.integer({ min: 1, max: 9 }),
  minAmounts: fc.constant(1),
  width: fc.constantFrom(0, 0.5, 4),
});

/** Everything a question may choose. */
export const aQuestion = fc
  .record({
    asOf: anInstant,
    late: fc.boolean(),
    trimFrom: fc.option(anInstant, { freq: 2 }),
    trimTo: fc.option(anInstant, { freq: 2 }),
    calendar: fc.constantFrom(null, ...calendars),
    period: fc.constantFrom('Day', 'Week'),
    multiVisitBehavior: fc.constantFrom('total', 'total', 'first', 'last', 'average'),
    consolidated: fc.constantFrom([], [{ name: 'Both', statuses: ['1', '3'] }]),
    statuses: fc.option(fc.uniqueArray(aStatus)),
    includeDeletedStatuses: fc.boolean(),
    metrics: fc.uniqueArray(aMetric, { maxLength: 2, selector: ({ name }) => name }),
    knownStatuses,
    groupBy: aGroupBy,
    historyFields: fc.uniqueArray(fc.constantFrom(...historyFields), { minLength: 1, maxLength: 2 }),
    names: fc.boolean(),
    standIns: fc.oneof({ weight: 5, arbitrary: fc.constant(() => []) }, anyStandInTimes),
    sampling: fc.option(aSampling, { nil: undefined, freq: 2 }),
  } as const)
  .map((choice) => {
    const asOf = choice.late ? Date.parse('2026-03-20T10:00:00Z') : choice.asOf;
    const known = choice.knownStatuses;
    const periods = [];
    for (let at = Date.parse('2026-03-02T00:00:00Z'); at <= asOf || periods.length === 0; ) {
      const next = periodAt(at, choice.period, 'UTC');
      periods.push(next);
      at = next.end;
    }
    const merged = choice.consolidated.flatMap((one) => one.statuses);
    const counted = choice.statuses === null ? null : new Set([...choice.statuses, ...merged]);
    const context: MeasureContext = {
      asOf,
      trim: { from: choice.trimFrom, to: choice.trimTo },
      calendar: choice.calendar === null ? normalHours : calendarOf(choice.calendar),
      timeZone: 'UTC',
      multiVisitBehavior: choice.multiVisitBehavior,
      historyFields: choice.historyFields.map((id) => groupColumn(id)),
      consolidated: choice.consolidated,
      countsStatus: (id) =>
        counted === null ? choice.includeDeletedStatuses || known.get(id)?.deleted !== true : counted.has(id),
      groupsOf: (user) => [
        ...(user === '1' || user === '2' ? [{ id: 'g1', name: 'Early', members: [] }] : []),
        ...(user === '2' ? [{ id: 'g2', name: 'Both', members: [] }] : []),
      ],
      delegateTimes: choice.standIns,
      periods,
      metrics: choice.metrics,
      nameOf(issue, field, value) {
        const status = field === 'status' ? known.get(value.id) : undefined;
        return status?.listed && isListed(issue, known) ? status.name : value.name;
      },
      categoryOf: (id) => known.get(id)?.category ?? 'Undefined',
      userName: (id) => (choice.names && id === '1' ? 'Ada' : null),
    };
    const layout: Layout = {
      fields: [],
      groupBy: choice.groupBy,
      statuses: choice.statuses,
      consolidated: choice.consolidated,
      includeDeletedStatuses: choice.includeDeletedStatuses,
      groups: null,
      knownStatuses: known,
    };
    return { context, layout, calendar: choice.calendar, sampling: choice.sampling };
  });

/** Columns of a world, with its rows newest first. */
export function sourcesOf(
  issues: readonly Issue[],
  { asOf }: MeasureContext,
  calendar: CalendarDefinition | null,
  sampling?: ColumnSources['sampling'],
): ColumnSources {
  const columns = new IssueColumns();
  for (const [i, issue] of issues.entries()) columns.put(i + 1, rowContent(issue));
  const issueOf = (row: number) => issues[(columns.arrays().storeId[row] ?? 0) - 1] ?? null;
  const { created } = columns.arrays();
  const rows = columns
    .rowsByCreation()
    .toReversed()
    .filter((row) => (created[row] ?? 0) <= asOf);
  for (const field of ['points', 'notes', 'labels', 'components', 'missing']) {
    columns.beginField(field);
    columns.fillField(field, rows, Array.from(rows, issueOf));
    columns.endField(field);
  }
  for (const field of historyFields) {
    columns.beginHistory(field);
    columns.fillHistory(
      field,
      Array.from(issues, ({ key }) => columns.rowOf(key)),
      issues.map(historySource),
    );
    columns.endHistory(field);
  }
  return {
    columns,
    rows,
    calendar,
    sampling,
    turns: inTurns,
    load: async (some) => Array.from(some, issueOf),
  };
}

export const rowIssues = ({ columns, rows }: ColumnSources, issues: readonly Issue[]): Issue[] =>
  Array.from(rows, (row) => issues[(columns.arrays().storeId[row] ?? 0) - 1]).filter(
    (one) => one !== undefined,
  );

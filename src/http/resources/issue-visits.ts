import { z } from 'zod';
import { columnsBy } from '../../api/parameters/columns.ts';
import { issueKey } from '../../api/parameters/parameter.ts';
import { outputType, reportParameters } from '../../api/parameters/report.ts';
import { reportIds } from '../../model/report-ids.ts';
import type { Cell, Column, IssueFacts, Row, Table } from '../../model/table.ts';
import { isoInstant } from '../../output/encode.ts';
import { durationText } from '../../output/readable-text.ts';
import type { TableWording } from '../../output/table-records.ts';
import { dateText } from '../../time/date-text.ts';
import { defineRoute } from '../define-route.ts';
import { answerReport, readReportRequest, reportContent } from '../report/answer.ts';
import { issueCells, issueRow, outerMembers, tableSchema } from '../report/table.ts';

const identity = {
  statusId: z.union([z.number(), z.string()]).nullable().optional(),
  fieldId: z.string().optional(),
  valueId: z.string().nullable().optional(),
};

const statistics = z.array(z.object({ ...identity, value: z.number() }));

const visitRow = z
  .object({
    ...issueRow.shape,
    expanded: z.object({
      stats: z.object({
        visitCounts: statistics,
        totalValues: statistics,
        averageValues: statistics,
        minValues: statistics,
        maxValues: statistics,
      }),
      rows: z.array(
        z.object({
          uniqueDate: z.string().describe('The start again, under the name clients read.'),
          ...identity,
          statusName: z.string().nullable().optional(),
          valueName: z.string().nullable().optional(),
          value: z.number().describe('The duration again, under the name clients read.'),
          start: isoInstant,
          end: isoInstant.nullable().describe('Null while the visit lasts.'),
          duration: z.number().describe('Working milliseconds.'),
          transitionedBy: z.string().optional(),
        }),
      ),
    }),
  })
  .meta({ id: 'VisitRow', description: 'An issue with every visit of it, and what the visits come to.' });

const expanded = z
  .object({ ...outerMembers, table: tableSchema(visitRow) })
  .meta({ id: 'Expanded', description: 'The visits of one issue.' });

/** Every visit of one issue, with its start, end and duration. */
export const issueVisits = defineRoute({
  id: 'getIssueVisits',
  methods: ['get'],
  paths: ['/rest/issue/expanded'],
  section: 'Reports',
  summary: 'Every visit of one issue to a status, or to a value of any field',
  parameters: z.object({
    issueKey,
    columnsBy: columnsBy('visit').default(reportIds.statusDurationExpanded),
    outputType,
    ...reportParameters,
  }),
  answers: {
    description: 'The visits. In JSON, durations are always milliseconds.',
    content: reportContent(expanded),
    failures: [404],
  },
  async answer(input, principal, parts) {
    const request = await readReportRequest(input, 'visit', principal, parts);
    return answerReport(request, input, parts, (table, wording) => ({ table: visitTable(table, wording) }));
  },
});

/** The header names the statuses, for clients of the compatible product look the ids of visits up there. */
function visitTable({ columns, issues, rows }: Table, wording: TableWording) {
  const byIssue = Map.groupBy(rows, (row) => row.issueKey);
  return {
    header: [...columns.filter((column) => column.part !== 'value'), ...statusColumns(rows)],
    body: {
      rows: issues.map((issue) => {
        const visits = byIssue.get(issue.key) ?? [];
        const found = statisticsOf(visits);
        return {
          ...issueCells(issue, columns, wording),
          valueColumns: [],
          currentState: currentState(issue, found, wording),
          history: issue,
          expanded: {
            stats: {
              visitCounts: listOf(found, (one) => one.count),
              totalValues: listOf(found, (one) => one.total),
              averageValues: listOf(found, (one) => Math.round(one.total / one.count)),
              minValues: listOf(found, (one) => one.min),
              maxValues: listOf(found, (one) => one.max),
            },
            rows: visits.map((visit) => visitOf(visit, wording)),
          },
        };
      }),
    },
  };
}

/** One column per status, in the order of the first visits. */
function statusColumns(visits: readonly Row[]): Column[] {
  const names = new Map<string, string>();
  for (const { cells } of visits) {
    const { field, value } = cells;
    if (field?.value !== 'status' || value?.id === undefined || names.has(value.id)) continue;
    names.set(value.id, String(value.value));
  }
  return [...names].map(([id, title]) => ({ id, title, kind: 'duration', part: 'value' }));
}

/** The value the issue is in, with the time of all its visits to it, as in getIssue. */
function currentState(
  { current }: IssueFacts,
  found: readonly VisitStatistics[],
  { viewFormat, dayMs }: TableWording,
) {
  return current.map(({ columnId, since }) => {
    const total = found.find((one) => one.valueId === columnId)?.total ?? 0;
    return {
      id: columnId,
      value: durationText(total, viewFormat, dayMs),
      raw: String(Math.round(total)),
      since,
    };
  });
}

function visitOf({ cells }: Row, { formats, timeZone }: TableWording) {
  const start = Number(cells.start?.value);
  const duration = Math.round(Number(cells.duration?.value));
  const by = cells.transitionedBy;
  const name = textOrNull(cells.value);
  return {
    uniqueDate: dateText(start, formats.dateTimeFormat, timeZone),
    ...identityOf(textOrNull(cells.field), cells.value?.id ?? null),
    ...(cells.field?.value === 'status' ? { statusName: name } : { valueName: name }),
    value: duration,
    start,
    end: cells.end === undefined ? null : Number(cells.end.value),
    duration,
    ...(by === undefined ? {} : { transitionedBy: String(by.value) }),
  };
}

function textOrNull(cell: Cell | undefined): string | null {
  return cell === undefined ? null : String(cell.value);
}

/** The sums over the visits of one value, in milliseconds; `valueId` null is "empty". */
interface VisitStatistics {
  readonly field: string | null;
  readonly valueId: string | null;
  readonly count: number;
  readonly total: number;
  readonly min: number;
  readonly max: number;
}

/** The visits condensed per field and value, in order of first visit. */
function statisticsOf(rows: readonly Row[]): VisitStatistics[] {
  const groups = Map.groupBy(rows, (row) => `${row.cells.field?.value}\n${row.cells.value?.id ?? '\n'}`);
  return [...groups.values()].map((visits) => {
    const durations = visits.map((row) => Number(row.cells.duration?.value ?? 0));
    const cells = visits[0]?.cells;
    return {
      field: textOrNull(cells?.field),
      valueId: cells?.value?.id ?? null,
      count: durations.length,
      total: durations.reduce((sum, ms) => sum + ms, 0),
      min: durations.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY),
      max: durations.reduce((a, b) => Math.max(a, b), 0),
    };
  });
}

function listOf(found: readonly VisitStatistics[], figure: (one: VisitStatistics) => number) {
  return found.map((one) => ({ ...identityOf(one.field, one.valueId), value: Math.round(figure(one)) }));
}

/** Status ids are numbers in this answer, as clients expect; an id that is none stays text. */
function identityOf(field: string | null, id: string | null) {
  if (field !== 'status') return { fieldId: field ?? undefined, valueId: id };
  return { statusId: id !== null && /^\d{1,15}$/.test(id) ? Number(id) : id };
}

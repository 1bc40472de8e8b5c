import type { ExplainedPart } from '../../../model/answer.ts';
import { ask, type ReportRequest } from '../../../model/request.ts';
import type { IssueFacts, Provenance } from '../../../model/table.ts';
import type { ReportingApi } from '../../reporting.ts';
import { type ReadVisit, readVisits } from '../read-visits.ts';
import { partOf } from './compose.ts';

/** A visit of an issue to a status; null: to none. */
interface VisitPart {
  readonly statusId: string | null;
  readonly part: ExplainedPart;
}

/** The visits of one issue, and what is to be said of it. */
interface IssueVisits {
  readonly facts: IssueFacts;
  /** In order of time. */
  readonly visits: readonly VisitPart[];
  /** The time of which nothing is known. */
  readonly unknown: ExplainedPart | null;
  readonly provenance: Provenance;
}

/** Of which issue (its key), measured how. */
type VisitsWish = Pick<ReportRequest, 'asker' | 'calendar'> &
  Partial<Pick<ReportRequest, 'asOf' | 'trim'>> & { readonly key: string };

/** Visit by visit, how long an issue was where by the clock on the wall, and how much of it counts. */
export async function visitParts(
  { key, ...wish }: VisitsWish,
  reporting: ReportingApi,
): Promise<IssueVisits> {
  const table = await reporting.report(
    ask({
      ...wish,
      reportType: 'statusDurationExpanded',
      selection: { by: 'keys', keys: [key] },
      includeDeletedStatuses: true,
    }),
  );
  const { issues, provenance } = table;
  const [facts] = issues;
  if (facts === undefined) throw new Error(`The report lost the issue ${key}`);
  return {
    facts,
    visits: readVisits(table).map((visit) => visitPart(visit, provenance)),
    unknown: unknownPart(facts),
    provenance,
  };
}

function visitPart(
  { status, start, end, ms, begun, ended }: ReadVisit,
  { asOf, trim }: Provenance,
): VisitPart {
  const notes = [
    ...(begun ? [] : ['history unknown before']),
    ...(start === trim.from ? ["begins with the window's start"] : []),
    ...(end === null ? ['still running'] : ended ? [] : ['history unknown after']),
    ...(end !== null && end === trim.to ? ["ends with the window's end"] : []),
  ];
  return {
    statusId: status?.id ?? null,
    part: partOf({
      label: status?.name ?? '(no status)',
      from: start,
      until: end,
      wallMs: (end ?? asOf) - start,
      countedMs: ms,
      note: notes.length === 0 ? null : notes.join(', '),
    }),
  };
}

function unknownPart({ unknown, history }: IssueFacts): ExplainedPart | null {
  if (unknown === null) return null;
  const { from, until, ms } = unknown;
  const note = history.complete ? null : history.reason;
  return partOf({ label: 'Not known', from, until, wallMs: until - from, countedMs: ms, note });
}

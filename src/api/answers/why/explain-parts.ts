import { yieldToOthers } from '../../../concurrency/cooperative-yield.ts';
import type { ExplainedPart, Explanation } from '../../../model/answer.ts';
import { reportIds } from '../../../model/report-ids.ts';
import { ask, type ReportRequest } from '../../../model/request.ts';
import type { Column, IssueFacts, Provenance, Table } from '../../../model/table.ts';
import { inStatus } from '../../../output/figure-words.ts';
import { flowOfIssue } from '../../outcomes/issue-flow.ts';
import type { IssuesInput, Span } from '../../outcomes/outcomes-api.ts';
import { numberIn, type ReadVisit, readVisits, summaryIn } from '../../outcomes/read-table.ts';
import { requestWithin } from '../../outcomes/time-within.ts';
import type { ReportingApi } from '../../reporting/reporting-api.ts';
import {
  compose,
  type FigureName,
  longestFirst,
  partOf,
  shortName,
  sumOf,
  unknownFigure,
} from './explanation.ts';

/** An issue's share of a column: ms or a count; null where it has none. */
interface IssueShare {
  readonly facts: IssueFacts;
  readonly value: number | null;
}

/** The share of each issue of a list in some of its columns, over all of its lines. */
export function sharesOf({ issues, rows }: Table, columns: readonly Column[]): readonly IssueShare[] {
  const values = new Map<string | null, number[]>();
  for (const { issueKey, cells } of rows) {
    const own = values.get(issueKey) ?? [];
    values.set(issueKey, own);
    for (const { id } of columns) {
      const value = numberIn(cells, id);
      if (value !== null) own.push(value);
    }
  }
  return issues.map((facts) => {
    const own = values.get(facts.key) ?? [];
    return { facts, value: own.length === 0 ? null : sumOf(own) };
  });
}

/** The issues that have a share, the largest first. */
export function issueParts(shares: readonly IssueShare[], kind: Column['kind']): readonly ExplainedPart[] {
  const having = shares.flatMap(({ facts, value }) => (value === null ? [] : [{ facts, value }]));
  if (kind === 'duration') {
    return longestFirst(having.map(({ facts, value }) => partOf({ ...nameOf(facts), countedMs: value })));
  }
  return having
    .toSorted((a, b) => b.value - a.value)
    .map(({ facts, value }) => partOf({ ...nameOf(facts), note: `counts ${value}` }));
}

/** Issues without a share: those whose history is cut first, as theirs is unknown. */
export function withoutShare(shares: readonly IssueShare[]): Explanation['excluded'] {
  const without = shares.filter(({ value }) => value === null).map(({ facts }) => facts);
  return without
    .toSorted((a, b) => Number(a.unknown === null) - Number(b.unknown === null))
    .map(({ key, link, history, unknown }) => ({
      key,
      ...(link === null ? {} : { link }),
      reason:
        unknown === null
          ? 'no value here'
          : `its history is not complete${history.complete ? '' : `: ${history.reason}`}`,
    }));
}

/** The name of an issue, and its address. */
export function nameOf({ key, cells, link }: IssueFacts): Pick<ExplainedPart, 'label' | 'link'> {
  return { label: `${key} ${summaryIn(cells)}`.trim(), link };
}

/** A visit of an issue to a status; null: to none. */
interface VisitPart {
  readonly statusId: string | null;
  readonly part: ExplainedPart;
}

/** The key of an issue, and how it is measured. */
type VisitsRequest = Pick<ReportRequest, 'principal' | 'calendar'> &
  Partial<Pick<ReportRequest, 'asOf' | 'trim'>> & { readonly key: string };

/** Each visit of an issue in order of time, by the clock on the wall and as it counts, and the time that is missing in its history. */
export async function visitParts({ key, ...request }: VisitsRequest, reporting: ReportingApi) {
  const table = await reporting.report(
    ask({
      ...request,
      reportType: reportIds.statusDurationExpanded,
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
    ...(start === trim.from ? ['starts with the window'] : []),
    ...(end === null ? ['still running'] : ended ? [] : ['history unknown after']),
    ...(end !== null && end === trim.to ? ['ends with the window'] : []),
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
  return partOf({ label: 'Unknown', from, until, wallMs: until - from, countedMs: ms, note });
}

/** A span of time, its name, and what it is: `week` or `sprint`. */
interface NamedSpan extends Span {
  readonly called: string;
  readonly kind: string;
}

/** The time that issues spent in a status within a span; `words` has the short name of the status. */
export async function explainWithin(
  { words: [name] }: FigureName,
  span: NamedSpan,
  issues: IssuesInput,
  reporting: ReportingApi,
): Promise<Explanation> {
  const { called, kind } = span;
  const flows = await reporting.flows(issues.principal);
  const list = await reporting.report(requestWithin(span, issues, flows));
  const column = list.columns.find(({ id, part }) => part === 'value' && shortName(id) === name);
  if (column === undefined) throw unknownFigure();
  await yieldToOthers();
  const shares = sharesOf(list, [column]).filter(({ facts }) => flowOfIssue(facts, flows).counts);
  await yieldToOthers();
  const parts = issueParts(shares, 'duration');
  await yieldToOthers();
  return compose({
    title: `Time ${inStatus(column.title)} within ${called}`,
    value: { kind: 'duration', value: sumOf(shares.map(({ value }) => value ?? 0)) },
    rules: [
      `Time of all issues in this status within the ${kind}, finished or not.`,
      `Of a stay that began before the ${kind} or ended after it, only the part within it counts.`,
    ],
    parts,
    adds: true,
    denominator: { counted: shares.filter(({ value }) => value !== null).length, of: shares.length },
    excluded: withoutShare(shares.filter(({ facts }) => facts.unknown !== null)),
    provenance: list.provenance,
    asOf: issues.asOf,
  });
}

import type { Week } from '../../model/answer.ts';
import type { Instant } from '../../model/issue.ts';
import type { Principal } from '../../model/principal.ts';
import type { Question, ReportQuestion, SavedQuestion } from '../../model/question.ts';
import { ask, type ReportRequest, type Selection } from '../../model/request.ts';
import { type ToldAging, tellAging } from './aging/aging-answer.ts';
import { type MineParts, tellOwn } from './mine.ts';
import { rangeOf } from './range-of.ts';
import { keysFinishedInWeek } from './weekly/finished-in-week.ts';

/** What requests are made from; `readSaved` reads a parameter set, whose words for dates mean the instant. */
export interface RequestParts extends MineParts {
  readonly readSaved: (
    principal: Principal,
    question: SavedQuestion,
    asOf: Instant,
  ) => Promise<ReportRequest>;
}

/** The request behind a report as it is asked, its statistic included, without a page. */
export async function reportRequest(
  question: ReportQuestion | SavedQuestion,
  principal: Principal,
  asOf: Instant,
  { readSaved }: Pick<RequestParts, 'readSaved'>,
): Promise<ReportRequest> {
  if (question.kind === 'saved') {
    const request = await readSaved(principal, question, asOf);
    return { ...request, principal, asOf: request.asOf ?? asOf, page: null };
  }
  const { request, range, timeZone } = question;
  return ask({ ...request, principal, asOf, dateRange: rangeOf(range, { asOf, timeZone }) });
}

/**
 * The issues behind an answer as a list of all of them: of ages the open ones, in their order; of what waits on
 * somebody their own. Null where two lists are compared.
 */
export async function requestOf(
  question: Question,
  principal: Principal,
  asOf: Instant,
  parts: RequestParts,
): Promise<ReportRequest | null> {
  switch (question.kind) {
    case 'issue':
      return listOf([question.key.toUpperCase()], question, { principal, asOf });
    case 'report':
    case 'saved':
      return { ...(await reportRequest(question, principal, asOf, parts)), statistic: null };
    case 'weekly': {
      const { week, keys } = await keysFinishedInWeek(question, principal, asOf, parts.reporting);
      const list = listOf(keys, question, { principal, asOf });
      return titled(list, keys, finishedTitle(keys.length, question.selection, week));
    }
    case 'aging': {
      const told = await tellAging({ ...question, assignee: null }, principal, asOf, parts);
      const keys = await openKeys(told);
      const list = openList(keys, question, { principal, asOf });
      return titled(list, keys, openTitle(keys.length, question.selection));
    }
    case 'mine': {
      const told = await tellOwn(question, principal, asOf, parts);
      return openList(await openKeys(told), question, { principal, asOf });
    }
    case 'compare':
      return null;
  }
}

type Standpoint = Pick<ReportRequest, 'principal' | 'asOf'>;

function titled(list: ReportRequest, keys: readonly string[], title: string): ReportRequest {
  return { ...list, selection: { by: 'keys', keys, title } };
}

async function openKeys({ aging: { unknown, doubts }, keys }: ToldAging): Promise<readonly string[]> {
  return [...(await keys()), ...unknown, ...doubts.unclear.map(({ key }) => key)];
}

function openList(
  keys: readonly string[],
  measured: Pick<ReportRequest, 'calendar'>,
  standpoint: Standpoint,
): ReportRequest {
  return { ...listOf(keys, measured, standpoint), fields: ['status', 'assignee', 'calc:currentStatusAge'] };
}

function listOf(
  keys: readonly string[],
  { calendar }: Pick<ReportRequest, 'calendar'>,
  standpoint: Standpoint,
): ReportRequest {
  return ask({
    ...standpoint,
    reportType: 'statusDuration',
    selection: { by: 'keys', keys },
    calendar,
    includeDeletedStatuses: true,
  });
}

/** `6 issues of WEB finished in week 46 of 2026`; what else than a project chose them stays untold. */
export function finishedTitle(count: number, selection: Selection, { id }: Pick<Week, 'id'>): string {
  const [year, number] = id.split('-W');
  return `${countOf(count, 'issue')}${ofProject(selection)} finished in week ${Number(number)} of ${year}`;
}

/** `12 open issues of WEB by age`; likewise. */
export function openTitle(count: number, selection: Selection): string {
  return `${countOf(count, 'open issue')}${ofProject(selection)} by age`;
}

function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** A query is not for everybody who may read the file. */
function ofProject(selection: Selection): string {
  return selection.by === 'project' ? ` of ${selection.project}` : '';
}

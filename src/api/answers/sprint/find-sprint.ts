import type { Sprint } from '../../../model/directory.ts';
import { AppError, about, badRequestAs, nullOn } from '../../../model/error.ts';
import type { Instant } from '../../../model/issue.ts';
import { foldedName } from '../../../model/issues/ids-and-names.ts';
import type { MeasuredQuestion } from '../../../model/question.ts';
import { reportIds } from '../../../model/report-ids.ts';
import { ask, type Principal, type Selection } from '../../../model/request.ts';
import type { SprintSpan } from '../../outcomes/outcomes-api.ts';
import { queryOf } from '../../parameters/rolling-range.ts';
import { asLiteral, splitQuery } from '../../reporting/query-text.ts';
import type { ReportingApi } from '../../reporting/reporting-api.ts';

/** The most earlier sprints that are compared. */
const MAX_BEFORE = 5;
/** The most ids in one query. */
const MAX_AT_ONCE = 400;

/**
 * A question about a sprint. `sprint` is its id or its name; null: the last one that has begun, with issues of the selection
 * where there is one.
 */
export interface SprintQuestion extends MeasuredQuestion {
  readonly kind: 'sprint';
  readonly sprint: string | null;
  readonly selection: Selection | null;
  /** True for the last sprint that was closed, where no sprint is named. */
  readonly closed?: true;
}

/** The principal, the instant and the port of a search for sprints. */
interface SprintLookup {
  readonly principal: Principal;
  readonly asOf: Instant;
  readonly reporting: Pick<ReportingApi, 'sprints' | 'count'>;
}

/**
 * The sprint that is meant, and those before it on the same board. `unknown-sprint` for one that is not known; of several
 * of a name it is the one that began last.
 */
export async function findSprint(
  { sprint: id, selection, closed }: Pick<SprintQuestion, 'sprint' | 'selection' | 'closed'>,
  lookup: SprintLookup,
): Promise<{ readonly span: SprintSpan; readonly before: readonly SprintSpan[] }> {
  const { principal, asOf, reporting } = lookup;
  const all = await reporting.sprints(principal);
  const begun = all
    .flatMap((one) => {
      const span = spanOf(one, asOf);
      return span === null ? [] : [{ board: one.board, span }];
    })
    .toSorted((a, b) => b.span.start - a.span.start);
  const chosen =
    id === null
      ? await lastWithIssues(closed ? begun.filter(({ span }) => !span.running) : begun, selection, lookup)
      : (begun.find(({ span }) => span.id === id) ?? begun.find(({ span }) => isNamed(span, id)));
  if (chosen === undefined) throw notFound(id, all, asOf);
  const before = begun.filter(({ board, span }) => board === chosen.board && span.start < chosen.span.start);
  return { span: chosen.span, before: before.slice(0, MAX_BEFORE).map(({ span }) => span) };
}

/** The sprint that runs, or the last one that was closed, of some issues as of an instant; null where there is none. */
export async function sprintNow(
  which: 'this' | 'last',
  selection: Selection | null,
  lookup: SprintLookup,
): Promise<SprintSpan | null> {
  const closed = which === 'last' ? { closed: true as const } : {};
  const found = await findSprint({ sprint: null, selection, ...closed }, lookup).catch(
    nullOn('unknown-sprint'),
  );
  return found === null || (which === 'this' && !found.span.running) ? null : found.span;
}

function isNamed({ name }: { readonly name: string }, wanted: string): boolean {
  return foldedName(name) === foldedName(wanted);
}

/** The issues a question names itself; null where it names none. */
export function selectionOf({
  sprint,
  selection,
}: Pick<SprintQuestion, 'sprint' | 'selection'>): readonly [Selection] | null {
  if (sprint === null) return selection === null ? null : [selection];
  return [
    /^\d+$/.test(sprint) ? { by: 'sprint', id: sprint } : { by: 'jql', jql: `sprint = ${asLiteral(sprint)}` },
  ];
}

/** Null for a sprint that had not begun, or of which it is unknown when it was. */
function spanOf({ id, name, state, start, end, completed }: Sprint, asOf: Instant): SprintSpan | null {
  if (state === 'future' || start === null || start > asOf) return null;
  const closed = completed ?? (state === 'closed' ? end : null);
  if (state === 'closed' && closed === null) return null;
  const isRunning = closed === null || closed > asOf;
  return { id, name, start, end: isRunning ? asOf : Math.max(closed, start), running: isRunning };
}

/** When a sprint ended; null while it runs. */
export function endOf({ end, running: isRunning }: SprintSpan): Instant | null {
  return isRunning ? null : end;
}

/** Sprints are tried in growing groups, and a group with issues is halved: there may be thousands. */
async function lastWithIssues<One extends { readonly span: SprintSpan }>(
  begun: readonly One[],
  selection: Selection | null,
  { principal, asOf, reporting }: SprintLookup,
): Promise<One | undefined> {
  if (selection === null) return begun[0];
  const { filter } = splitQuery(queryOf(selection));
  const where = filter === '' ? '' : `(${filter}) AND `;
  const hasIssues = async (some: readonly One[]) => {
    const jql = `${where}sprint in (${some.map(({ span }) => span.id).join(', ')})`;
    const request = ask({
      principal,
      reportType: reportIds.statusCount,
      selection: { by: 'jql', jql },
      asOf,
    });
    return (await reporting.count(request)) > 0;
  };
  for (let from = 0, size = 1; from < begun.length; from += size, size = Math.min(4 * size, MAX_AT_ONCE)) {
    let some = begun.slice(from, from + size);
    if (!(await hasIssues(some))) continue;
    while (some.length > 1) {
      const newer = some.slice(0, some.length >> 1);
      some = (await hasIssues(newer)) ? newer : some.slice(newer.length);
    }
    return some[0];
  }
  return undefined;
}

function notFound(id: string | null, all: readonly Sprint[], asOf: Instant): AppError {
  if (id === null) {
    return new AppError('unknown-sprint', 'No sprint found.', [
      "No sprint has begun here, or you can't see its issues. Sprints come from Jira boards and from imports.",
    ]);
  }
  const known = all.find((one) => one.id === id || isNamed(one, id));
  if (known === undefined) {
    return new AppError('unknown-sprint', 'No sprint found.', [
      about('sprint', `'${id}' could not be found, or you can't see its issues.`),
    ]);
  }
  const { name, state, start } = known;
  const problem =
    state === 'future'
      ? `'${name}' has not begun.`
      : start !== null && start > asOf
        ? `'${name}' had not begun at the time asked about.`
        : `'${name}' has no ${start === null ? 'start' : 'end'} date, so there is no report on it.`;
  return badRequestAs('invalid-value', about('sprint', problem));
}

import { createYieldIfDue, yieldToOthers } from '../../concurrency/cooperative-yield.ts';
import { movedKey, movedScan } from '../../engine/measure/outcome-scans.ts';
import { numbersAt } from '../../engine/measure/scan-rows.ts';
import type { Flows } from '../../model/flow.ts';
import type { Instant, Status } from '../../model/issue.ts';
import { compareIds } from '../../model/issues/ids-and-names.ts';
import { reportIds } from '../../model/report-ids.ts';
import { ask } from '../../model/request.ts';
import type { ReportingApi } from '../reporting/reporting-api.ts';
import { flowFields, flowOfIssue, isStarted } from './issue-flow.ts';
import { flowsFor } from './issue-outcomes.ts';
import type { MovedInput, MovedIssue, MovedSince } from './outcomes-api.ts';
import { type PassOver, visitTables } from './pass.ts';
import { namedIssue, type ReadVisit, readVisits, statusCalled } from './read-table.ts';

/** An issue that moved, before anything else is read of it. */
interface Move {
  readonly key: string;
  readonly at: Instant;
}

/** The issues that moved: in one pass over rows, and visit by visit for those that rows cannot speak for. */
export async function movedSince(
  { since, except, ...given }: MovedInput,
  reporting: Pick<ReportingApi, 'report' | 'statuses' | 'flows'>,
  passOver: PassOver,
): Promise<MovedSince> {
  const input = { ...given, flows: await flowsFor(given, reporting) };
  const { flows, ...issues } = input;
  const request = ask({ ...issues, reportType: reportIds.statusDuration, includeDeletedStatuses: true });
  const { lists, keys, remaining } = await passOver(request, movedScan, (plan) => ({ ...plan, since }), {
    flows,
  });
  const statuses = new Map((await reporting.statuses(input.principal)).map((one) => [one.id, one]));
  const inRows = (key: number): Move[] => {
    const at = numbersAt(lists.at, key);
    return keys(numbersAt(lists.issues, key)).map((one, i) => ({ key: one, at: at[i] ?? 0 }));
  };
  const found = { started: inRows(movedKey.started), moved: inRows(movedKey.moved) };
  const readMoves = async (some: readonly string[]) =>
    movesIn(some, { ...input, since, statuses }, reporting);
  for await (const slice of remaining()) {
    await yieldToOthers();
    const table = await slice.report(request);
    const late = table.issues.filter(({ current }) => current.some((one) => (one.since ?? 0) >= since));
    for (const { isStart, key, at } of await readMoves(late.map(({ key: one }) => one)))
      found[isStart ? 'started' : 'moved'].push({ key, at });
  }
  const inOrder = (moves: readonly Move[]) =>
    moves.filter(({ key }) => !except.has(key)).toSorted((a, b) => b.at - a.at || compareIds(a.key, b.key));
  const [started, moved] = [inOrder(found.started), inOrder(found.moved)];
  return {
    started: started.length,
    moved: moved.length,
    async issues(which, limit) {
      const some = (which === 'started' ? started : moved).slice(0, limit).map(({ key }) => key);
      const read = new Map((await readMoves(some)).map((one) => [one.key, one]));
      return some.flatMap((key) => read.get(key) ?? []);
    },
  };
}

/** A move that was read; `isStart`: with it the issue was started for the first time. */
type ReadMove = MovedIssue & { readonly isStart: boolean };

/** The moves of some issues, visit by visit; there is none that a cut history hides. */
async function movesIn(
  keys: readonly string[],
  {
    since,
    flows,
    statuses,
    dateRange: _,
    ...input
  }: Omit<MovedInput, 'except'> & { readonly flows: Flows; readonly statuses: ReadonlyMap<string, Status> },
  reporting: Pick<ReportingApi, 'report'>,
): Promise<readonly ReadMove[]> {
  const moves: ReadMove[] = [];
  const pace = createYieldIfDue();
  const request = { ...input, fields: ['assignee', ...flowFields(flows)] };
  for await (const { table } of visitTables(keys, request, reporting)) {
    const visitsOf = Map.groupBy(readVisits(table), ({ facts }) => facts.key);
    for (const facts of table.issues) {
      await pace();
      const visits = visitsOf.get(facts.key) ?? [];
      const { flow, counts } = flowOfIssue(facts, flows);
      const last = visits.at(-1);
      // A part that a cut history does not show may hide a move.
      const isKnown = facts.unknown === null || facts.unknown.until <= since;
      if (!counts || !isKnown || last?.end !== null || last.start < since || last.status === null) continue;
      const before = visits.find(({ start: begin, end }) => begin < since && (end ?? since) >= since) ?? null;
      const kindOf = ({ status }: ReadVisit) => (status === null ? 'unknown' : flow.kindOf(status.id));
      const kind = kindOf(last);
      const wasDone = before !== null && kindOf(before) === 'done';
      if (before?.status?.id === last.status.id) continue;
      // A new issue that no one began is no news, and what was done before is still done.
      if (before === null ? !isStarted(kind) : wasDone && kind === 'done') continue;
      const wasStarted = visits.some((visit) => visit.start < since && isStarted(kindOf(visit)));
      moves.push({
        ...namedIssue(facts),
        from: before?.status ? statusCalled(before.status, statuses) : null,
        to: { ...statusCalled(last.status, statuses), kind },
        at: last.start,
        isStart: isStarted(kind) && !wasStarted && !wasDone,
      });
    }
  }
  return moves;
}

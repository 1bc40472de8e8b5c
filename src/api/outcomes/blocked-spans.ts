import { yieldToOthers } from '../../concurrency/cooperative-yield.ts';
import { numbersAt } from '../../engine/measure/scan-rows.ts';
import { blockedScan } from '../../engine/measure/spans-scan.ts';
import type { Flows } from '../../model/flow.ts';
import { reportIds } from '../../model/report-ids.ts';
import { ask } from '../../model/request.ts';
import type { Table } from '../../model/table.ts';
import type { ReportingApi } from '../reporting/reporting-api.ts';
import { flowFields, flowOfIssue, isStarted } from './issue-flow.ts';
import { flowsFor } from './issue-outcomes.ts';
import type { BlockedInput, BlockedSpan, BlockedSpans } from './outcomes-api.ts';
import type { PassOver } from './pass.ts';
import { addScopes } from './read-table.ts';

/** Blocked time of started work: in one pass over rows, and by reports for the issues that rows cannot speak for. */
export async function blockedSpans(
  { bounds, ...input }: BlockedInput,
  reporting: Pick<ReportingApi, 'flows' | 'reportTypes'>,
  passOver: PassOver,
): Promise<BlockedSpans | null> {
  const reportType = reportIds.blockedDurationByStatus;
  if (!reporting.reportTypes.some(({ id }) => id === reportType)) return null;
  const flows = await flowsFor(input, reporting);
  const { flows: _, ...issues } = input;
  const request = ask({ ...issues, reportType, includeDeletedStatuses: true, fields: flowFields(flows) });
  const { sums, lists, keys, remaining, provenance } = await passOver(
    request,
    blockedScan,
    (plan) => ({
      ...plan,
      bounds,
      stops: Uint8Array.from(flows.all, ({ flow }) => Number(flow !== null)),
    }),
    { flows, needsBlocked: true },
  );
  const spans = bounds.slice(1).map((end, i) => ({
    start: bounds[i] ?? 0,
    end,
    ms: sums.blocked[i] ?? 0,
    indexes: numbersAt(lists.issues, i),
    read: [] as string[],
    activeMs: sums.stopped[i] ?? 0,
  }));
  let contents = provenance?.contents ?? null;
  for await (const slice of remaining()) {
    for (const [i, span] of spans.entries()) {
      await yieldToOthers();
      const trim = { from: span.start, to: span.end };
      const table = await slice.report({ ...request, trim });
      const ofSlice = blockedIn(table, flows);
      span.ms += ofSlice.ms;
      span.read.push(...ofSlice.keys);
      span.activeMs += ofSlice.activeMs;
      const { contents: scope = null } = table.provenance;
      if (provenance === null && i === 0) contents = contents === null ? scope : addScopes(contents, scope);
    }
  }
  return {
    spans: spans.map(({ ms, activeMs, indexes, read }) => ({
      ms,
      activeMs,
      issues: indexes.length + read.length,
      keys: () => [...keys(indexes), ...read],
    })),
    contents,
  };
}

/** The blocked time of started work of the issues of a report by status. */
function blockedIn(
  { rows, issues }: Table,
  flows: Flows,
): Pick<BlockedSpan, 'ms' | 'activeMs'> & { readonly keys: readonly string[] } {
  let [ms, activeMs] = [0, 0];
  const keys: string[] = [];
  for (const [i, { cells }] of rows.entries()) {
    const facts = issues[i];
    if (facts === undefined) continue;
    const { flow, counts } = flowOfIssue(facts, flows);
    const own = Object.entries(cells).filter(([id]) => counts && isStarted(flow.kindOf(id)));
    if (own.length > 0) keys.push(facts.key);
    for (const [id, { value }] of own) {
      ms += Number(value);
      if (flow.flow !== null && flow.kindOf(id) === 'active') activeMs += Number(value);
    }
  }
  return { ms, activeMs, keys };
}

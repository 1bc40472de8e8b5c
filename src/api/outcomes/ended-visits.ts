import { millisecondsInMinute } from 'date-fns/constants';
import { yieldToOthers } from '../../concurrency/cooperative-yield.ts';
import { endedScan, keyOfSlot } from '../../engine/measure/outcome-scans.ts';
import type { Instant } from '../../model/issue.ts';
import { projectKeyOf } from '../../model/issues/issue-fields.ts';
import { reportIds } from '../../model/report-ids.ts';
import { ask, type ReportRequest, type Selection } from '../../model/request.ts';
import type { Row } from '../../model/table.ts';
import type { IssueSlice, ReportingApi } from '../reporting/reporting-api.ts';
import { scopeOfKeys } from './open-issues.ts';
import type { EndedInput, EndedVisits } from './outcomes-api.ts';
import { type PassOver, visitTables } from './pass.ts';
import { addScopes, readVisits } from './read-table.ts';

type Lists = Pick<ReportingApi, 'report' | 'audienceScope' | 'flows'>;

/** An issue was in a status and left it. `ms` are working. */
interface EndedVisit {
  readonly key: string;
  readonly link: string | null;
  readonly statusId: string;
  readonly start: Instant;
  readonly end: Instant;
  readonly ms: number;
}

/** Visits that ended, by project: in one pass over rows, and issue by issue where these cannot speak. */
export async function endedByProject(
  input: EndedInput,
  reporting: Lists,
  passOver: PassOver,
): Promise<ReadonlyMap<string, EndedVisits>> {
  const { projects, since, classes, flows = await reporting.flows(input.principal), ...own } = input;
  const [project = '', ...more] = projects;
  const selection = { by: 'jql', jql: '' } as const;
  const passed = await passOver(
    ask({ ...own, selection, reportType: reportIds.statusDuration, includeDeletedStatuses: true }),
    endedScan,
    (plan, { columns }) => ({
      ...plan,
      since,
      groups: Int32Array.from(columns.classes.all, ({ projectKey }) =>
        projects.indexOf(projectKey.toUpperCase()),
      ),
    }),
    { flows, part: more.length > 0 ? undefined : { project, classes, changedSince: since } },
  );
  const { lists, sums, statusIds } = passed;
  const requests = projects.map((one) => exitsOf({ by: 'project', project: one }, input));
  const remaining = await visitsOf(passed.remaining({ requests }), input, reporting);
  const visitsOfProject = Map.groupBy(remaining.visits, ({ key }) => projectKeyOf({ key }).toUpperCase());
  const ended = new Map<string, EndedVisits>();
  for (const [group, one] of projects.entries()) {
    const visits = visitsOfProject.get(one) ?? [];
    await yieldToOthers();
    const byStatus = new Map<string, readonly Float64Array[]>(
      [...Map.groupBy(visits, ({ statusId }) => statusId)].map(([id, own]) => [
        id,
        [Float64Array.from(own, ({ ms }) => ms)],
      ]),
    );
    for (const [slot, id] of statusIds.entries()) {
      const found = lists.ms.get(keyOfSlot(slot, group, statusIds.length));
      if (found !== undefined) byStatus.set(id, [...found, ...(byStatus.get(id) ?? [])]);
    }
    const counts = sums.classes.map((count, code) => (passed.projects[code] === one ? count : 0));
    const keys = [...new Set(visits.map(({ key }) => key))];
    const scope = await scopeOfKeys(keys, remaining.mayHaveLevels, input, reporting);
    ended.set(one, { byStatus, contents: addScopes(passed.scopeOf(counts), scope) });
  }
  return ended;
}

/**
 * The visits of a project's issues, as far as the principal sees them. Visits whose beginning or end a cut history does not
 * show are left out.
 */
export async function endedVisits(
  project: string,
  input: Omit<EndedInput, 'projects'>,
  reporting: Lists & Pick<ReportingApi, 'slices'>,
): Promise<readonly EndedVisit[]> {
  return (await visitsOf(reporting.slices(exitsOf({ by: 'project', project }, input)), input, reporting))
    .visits;
}

/** When issues last left each status, whatever the tracker says of their update: a workflow migration is no update to it. */
function exitsOf(
  selection: Selection,
  { principal, asOf, timeZone = null }: Omit<EndedInput, 'projects'>,
): ReportRequest {
  return ask({
    principal,
    asOf,
    timeZone,
    selection,
    reportType: reportIds.lastTransitionFromStatusDate,
    includeDeletedStatuses: true,
  });
}

/**
 * The visits of the issues of some slices: only those that left a status lately are listed visit by visit. `mayHaveLevels`: some
 * of these issues may have a level.
 */
async function visitsOf(
  slices: AsyncIterable<IssueSlice>,
  input: Omit<EndedInput, 'projects'>,
  reporting: Lists,
) {
  const { since, classes: _classes, flows: _flows, ...own } = input;
  const keys: string[] = [];
  const exits = exitsOf({ by: 'jql', jql: '' }, input);
  for await (const slice of slices) {
    const { issues, rows } = await slice.report(exits);
    // A service elsewhere has dates to the minute.
    const isLate = ({ cells }: Row) =>
      Object.values(cells).some(({ value }) => Number(value) >= since - millisecondsInMinute);
    const late = new Set(rows.filter(isLate).map(({ issueKey }) => issueKey));
    // A cut history does not show which exit was the last one, and yet it may show visits.
    for (const { key, history } of issues) if (late.has(key) || !history.complete) keys.push(key);
  }
  const visits: EndedVisit[] = [];
  let mayHaveLevels = false;
  for await (const { table } of visitTables(keys, own, reporting)) {
    for (const { facts, status, start, end, ms, begun, ended } of readVisits(table))
      if (status !== null && end !== null && end >= since && begun && ended)
        visits.push({ key: facts.key, link: facts.link, statusId: status.id, start, end, ms });
    if (table.provenance.contents?.withLevel !== 0) mayHaveLevels = true;
  }
  return { visits, mayHaveLevels };
}

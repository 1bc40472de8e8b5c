import { millisecondsInDay } from 'date-fns/constants';
import { projectKeyOf } from '../../../issues/issue-fields.ts';
import type { Instant } from '../../../model/issue.ts';
import type { AudienceScope } from '../../../model/permissions.ts';
import { type Asker, ask } from '../../../model/request.ts';
import type { Row, Table } from '../../../model/table.ts';
import type { ReportingApi } from '../../reporting.ts';
import { readVisits } from '../read-visits.ts';
import { USUAL_DAYS } from './usual-stay.ts';

/** A service elsewhere tells dates to the minute. */
const TOLD_TO_MS = 60_000;

/** So many issues are told visit by visit at once: few enough that their lines are nothing. */
const ISSUES_AT_ONCE = 500;

/** An issue was in a status and left it. `ms` are working. */
interface EndedVisit {
  readonly key: string;
  readonly link: string | null;
  readonly statusId: string;
  readonly start: Instant;
  readonly end: Instant;
  readonly ms: number;
}

/** Whose visits, of which project (its key), in which calendar, until when. */
export interface EndedVisitsQuestion {
  readonly asker: Asker;
  readonly project: string;
  readonly calendar: string;
  readonly until: Instant;
}

/** Visits, and what issues they are of; null where nobody tells. */
interface EndedVisits {
  readonly visits: readonly EndedVisit[];
  readonly contents: AudienceScope | null;
}

/** From when on a visit has to end to tell what is usual at an instant. */
function usualSince(until: Instant): Instant {
  return until - USUAL_DAYS * millisecondsInDay;
}

/**
 * The visits of a project's issues that ended in the days that tell what is usual, as far as the asker sees them.
 * Visits that a cut history does not tell from their beginning to their end are left out.
 */
export async function endedVisits(
  { asker, project, calendar, until }: EndedVisitsQuestion,
  reporting: ReportingApi,
): Promise<EndedVisits> {
  const since = usualSince(until);
  // Whatever the tracker says of when an issue was updated: a workflow migration is no update to it.
  const exits = ask({
    asker,
    reportType: 'lastTransitionFromStatusDate',
    selection: { by: 'project', project },
    includeDeletedStatuses: true,
    asOf: until,
  });
  const keys: string[] = [];
  for await (const slice of reporting.slices(exits)) {
    const { issues, rows } = await slice.report(exits);
    const isLate = ({ cells }: Row) =>
      Object.values(cells).some(({ value }) => Number(value) >= since - TOLD_TO_MS);
    const late = new Set(rows.filter(isLate).map(({ issueKey }) => issueKey));
    // Which exit was the last one a cut history does not tell, and yet it may tell of visits.
    for (const { key, history } of issues) if (late.has(key) || !history.complete) keys.push(key);
  }
  const visits: EndedVisit[] = [];
  const anyLevel: boolean[] = [];
  for (let start = 0; start < keys.length; start += ISSUES_AT_ONCE) {
    const table = await reporting.report(
      ask({
        asker,
        reportType: 'statusDurationExpanded',
        selection: { by: 'keys', keys: keys.slice(start, start + ISSUES_AT_ONCE) },
        includeDeletedStatuses: true,
        calendar,
        asOf: until,
      }),
    );
    visits.push(...endedSince(since, table));
    anyLevel.push(table.provenance.contents?.withLevel !== 0);
  }
  return { visits, contents: await contentsOf(visits, anyLevel.includes(true), { asker, until }, reporting) };
}

/** What the issues of the visits are; only where some issue may have a level it takes another look at them. */
async function contentsOf(
  visits: readonly EndedVisit[],
  anyLevel: boolean,
  { asker, until }: Pick<EndedVisitsQuestion, 'asker' | 'until'>,
  reporting: ReportingApi,
): Promise<AudienceScope | null> {
  const keys = [...new Set(visits.map(({ key }) => key))];
  if (!anyLevel || keys.length === 0) {
    const projects = [...new Set(keys.map((key) => projectKeyOf({ key }).toUpperCase()))];
    return { projects, issues: keys.length, withLevel: 0 };
  }
  const selection = { by: 'keys', keys } as const;
  return reporting.contents(ask({ asker, reportType: 'statusDuration', selection, asOf: until }));
}

function endedSince(since: Instant, table: Table): EndedVisit[] {
  return readVisits(table).flatMap(({ facts: { key, link }, status, start, end, ms, begun, ended }) =>
    status !== null && end !== null && end >= since && begun && ended
      ? [{ key, link, statusId: status.id, start, end, ms }]
      : [],
  );
}

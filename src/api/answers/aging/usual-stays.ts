import { millisecondsInDay, millisecondsInMinute } from 'date-fns/constants';
import { createNamespace } from '../../../cache/namespace.ts';
import { sharedTask } from '../../../concurrency/cooperative-yield.ts';
import { percentile } from '../../../engine/statistics.ts';
import { projectKeyOf } from '../../../issues/issue-fields.ts';
import type { DwellPercentile } from '../../../model/answer.ts';
import type { Instant } from '../../../model/issue.ts';
import type { AudienceScope } from '../../../model/permissions.ts';
import { type Asker, ask } from '../../../model/request.ts';
import type { Row, Table } from '../../../model/table.ts';
import type { ReportingApi } from '../../reporting.ts';
import { readVisits } from '../read-visits.ts';

/** How far back visits tell what is usual. */
export const USUAL_DAYS = 90;

/** Which percentile of the visits that ended is called usual. */
export const USUAL_PERCENT = 85;

/** Of fewer visits nobody can tell what is usual. */
export const FEWEST_VISITS = 5;

const LATE_MS = 5 * millisecondsInMinute;

/** A few hundred numbers each. */
const MOST_REMEMBERED = 200;

/** What is usual in a project. */
export interface ProjectStays {
  /** By status id; null or nothing of too few visits. */
  readonly byStatus: ReadonlyMap<string, DwellPercentile | null>;
  /** What issues it was learnt from; null where nobody tells. */
  readonly contents: AudienceScope | null;
}

/** Tells what is usual in a project (by its key), as far as the asker sees it. */
export type UsualStays = (
  asker: Asker,
  project: string,
  calendar: string,
  asOf: Instant,
) => Promise<ProjectStays>;

/** What is usual is learnt up to the full minute, so that whoever asks within one is told the same. */
export function usualUntil(asOf: Instant): Instant {
  return Math.floor(asOf / millisecondsInMinute) * millisecondsInMinute;
}

/** What is usual, told in two ways. */
interface RememberedStays {
  /** As of the full minute before the instant. */
  readonly exactly: UsualStays;
  /** The same, or the newest that is remembered of the five minutes before. */
  readonly lately: UsualStays;
}

/**
 * What is usual, learnt once for all who ask at a time and see the same: everybody who sees a project sees all of its
 * issues but those with a security level, so who sees none of these shares what was learnt, and others learn for
 * themselves.
 */
export function createUsualStays(reporting: ReportingApi, now: () => Instant): RememberedStays {
  const known = createNamespace<ProjectStays>({
    // What a minute was like may change while the tracker tells more of it, so nothing is kept for longer.
    ...{ name: 'usual-stays', ttlMs: LATE_MS + millisecondsInMinute, most: MOST_REMEMBERED },
    ...{ now, share: sharedTask },
  });

  async function stays(question: EndedVisitsQuestion, sharer: string, lateMs: number): Promise<ProjectStays> {
    const keyOf = (until: Instant) => `${sharer} ${until}`;
    const wanted = { youngerThanMs: lateMs + millisecondsInMinute };
    for (let late = 0; late <= lateMs; late += millisecondsInMinute) {
      const found = await known.get(keyOf(question.until - late), wanted);
      if (found !== undefined) return found;
    }
    return known.getOrMake(keyOf(question.until), () => learn(question, reporting), wanted);
  }

  const within =
    (lateMs: number): UsualStays =>
    async (asker, project, calendar, asOf) => {
      const until = usualUntil(asOf);
      const sharer = (await seesAll(asker, project, until, reporting)) ? null : asker;
      const key = JSON.stringify([sharer?.user, sharer?.admin, project, calendar]);
      return stays({ asker, project, calendar, until }, key, lateMs);
    };
  return { exactly: within(0), lately: within(LATE_MS) };
}

/** Whether somebody sees what everybody sees who sees anything of a project; false where nobody tells. */
async function seesAll(
  asker: Asker,
  project: string,
  until: Instant,
  reporting: ReportingApi,
): Promise<boolean> {
  const selection = { by: 'project', project } as const;
  const contents = await reporting.contents(
    ask({ asker, reportType: 'statusCount', selection, asOf: until }),
  );
  return contents !== null && contents.withLevel === 0;
}

async function learn(question: EndedVisitsQuestion, reporting: ReportingApi): Promise<ProjectStays> {
  const { visits, contents } = await endedVisits(question, reporting);
  const byStatus = new Map<string, DwellPercentile | null>();
  for (const [statusId, some] of Map.groupBy(visits, (visit) => visit.statusId)) {
    byStatus.set(statusId, usualStay(some.map(({ ms }) => ms)));
  }
  return { byStatus, contents };
}

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
interface EndedVisitsQuestion {
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

/** What is usual where visits of these lengths (working ms) ended; null of too few. */
function usualStay(durations: readonly number[]): DwellPercentile | null {
  if (durations.length < FEWEST_VISITS) return null;
  const p85 = percentile(durations, USUAL_PERCENT);
  return p85 === null ? null : { p85, visits: durations.length, days: USUAL_DAYS };
}

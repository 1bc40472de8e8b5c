import { millisecondsInMinute } from 'date-fns/constants';
import { createNamespace } from '../../../cache/namespace.ts';
import { sharedTask } from '../../../concurrency/cooperative-yield.ts';
import type { DwellPercentile } from '../../../model/answer.ts';
import type { Instant } from '../../../model/issue.ts';
import type { AudienceScope } from '../../../model/permissions.ts';
import { type Asker, ask } from '../../../model/request.ts';
import type { ReportingApi } from '../../reporting.ts';
import { type EndedVisitsQuestion, endedVisits } from './ended-visits.ts';
import { usualStay } from './usual-stay.ts';

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

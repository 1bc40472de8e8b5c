import type { UsualStay } from '../../../model/aging.ts';
import type { Contents } from '../../../model/contents.ts';
import type { Instant } from '../../../model/issue.ts';
import type { Asker } from '../../../model/request.ts';
import type { ReportingApi } from '../../reporting.ts';
import { endedVisits } from './ended-visits.ts';
import { usualStay } from './usual-stay.ts';

const MINUTE_MS = 60_000;

/** A few hundred numbers each. */
const MOST_REMEMBERED = 200;

/** What is usual in a project. */
export interface ProjectStays {
  /** By status id; null or nothing of too few visits. */
  readonly byStatus: ReadonlyMap<string, UsualStay | null>;
  /** What issues it was learnt from; null where nobody tells. */
  readonly contents: Contents | null;
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
  return Math.floor(asOf / MINUTE_MS) * MINUTE_MS;
}

/** What is usual, remembered for a minute for each asker. */
export function createUsualStays(reporting: ReportingApi, now: () => Instant): UsualStays {
  const remembered = new Map<string, { readonly at: Instant; readonly stays: Promise<ProjectStays> }>();
  return (asker, project, calendar, asOf) => {
    const until = usualUntil(asOf);
    const key = JSON.stringify([asker.user, asker.admin, project, calendar, until]);
    const known = remembered.get(key);
    if (known !== undefined && now() - known.at < MINUTE_MS) return known.stays;
    const stays = learn({ asker, project, calendar, until }, reporting);
    const entry = { at: now(), stays };
    remembered.delete(key);
    remembered.set(key, entry);
    const [oldest] = remembered.keys();
    if (remembered.size > MOST_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
    stays.catch(() => {
      if (remembered.get(key) === entry) remembered.delete(key);
    });
    return stays;
  };
}

async function learn(
  question: Parameters<typeof endedVisits>[0],
  reporting: ReportingApi,
): Promise<ProjectStays> {
  const { visits, contents } = await endedVisits(question, reporting);
  const byStatus = new Map<string, UsualStay | null>();
  for (const [statusId, some] of Map.groupBy(visits, (visit) => visit.statusId)) {
    byStatus.set(statusId, usualStay(some.map(({ ms }) => ms)));
  }
  return { byStatus, contents };
}

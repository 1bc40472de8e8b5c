import { yieldToOthers } from '../../concurrency/cooperative-yield.ts';
import { livesScan } from '../../engine/life-scans.ts';
import type { Comparison, Unknowns } from '../../model/answer.ts';
import type { Instant } from '../../model/issue.ts';
import type { CompareQuestion, Side } from '../../model/question.ts';
import type { Asker } from '../../model/request.ts';
import type { Provenance } from '../../model/table.ts';
import type { ReportingApi } from '../reporting.ts';
import {
  type AskedIssues,
  cycleTimes,
  doubtsOf,
  finishedIssues,
  requestOfLives,
  spreadOf,
  timesIn,
} from './issue-lives.ts';
import { joinStatuses, type MetStatus } from './met-statuses.ts';
import { rangeOf } from './range-of.ts';

/**
 * Two selections side by side, as of an instant (null: now): issues, those finished, their cycle times, and the time
 * the issues of each side spent in each status that is not Done. `bad-request` for a zone or a calendar nobody knows.
 */
export async function compareSides(
  { sides: [left, right], calendar, timeZone }: CompareQuestion,
  asker: Asker,
  asked: Instant | null,
  { reporting, now }: { readonly reporting: ReportingApi; readonly now: () => Instant },
): Promise<Comparison> {
  const asOf = asked ?? now();
  const livesOf = ({ selection, range }: Side) => {
    const dateRange = rangeOf(range, { asOf, timeZone });
    return sideOf({ asker, selection, dateRange, asOf, calendar }, reporting);
  };
  const both = await Promise.all([livesOf(left), livesOf(right)]);
  // Each figure is found at one go, and others get their turn between two of them.
  const ofBoth = async <Figure>(
    figure: (side: ComparedLives) => Figure,
  ): Promise<readonly [Figure, Figure]> => {
    await yieldToOthers();
    const one = figure(both[0]);
    await yieldToOthers();
    return [one, figure(both[1])];
  };
  const statuses: Comparison['statuses'][number][] = [];
  for (const { id, title, category } of joinStatuses(both.flatMap((side) => side.statuses))) {
    const sides = await ofBoth(({ times }) => spreadOf(times(id)));
    statuses.push({ id, title, category, sides });
  }
  const provenanceOf = ({ provenance, doubts }: ComparedLives) => ({
    ...provenance,
    reportType: 'compare',
    askedAt: asked === null ? asOf : provenance.askedAt,
    timeZone,
    complete: provenance.complete && doubts.withoutCategory.length === 0,
  });
  return {
    titles: [left.title, right.title],
    issues: [both[0].issues, both[1].issues],
    finished: [both[0].finished, both[1].finished],
    cycleTime: await ofBoth((side) => spreadOf(side.cycleTimes)),
    statuses,
    doubts: [both[0].doubts, both[1].doubts],
    provenance: [provenanceOf(both[0]), provenanceOf(both[1])],
  };
}

/** The lives of one side. All times are working ms. */
interface ComparedLives {
  readonly issues: number;
  readonly finished: number;
  readonly cycleTimes: Float64Array;
  /** The whole time in a status (its id) of each issue that was in it. */
  readonly times: (statusId: string) => Float64Array;
  readonly statuses: readonly MetStatus[];
  readonly doubts: Unknowns;
  readonly provenance: Provenance;
}

/** In one pass over the columns where there are some, and issue by issue where columns cannot speak. */
async function sideOf(asked: AskedIssues, reporting: ReportingApi): Promise<ComparedLives> {
  const scanned = await reporting.scan?.(requestOfLives(asked), livesScan, (plan) => plan);
  const found = scanned?.found;
  const looked = scanned && { ...scanned, places: [...scanned.found.rest] };
  const { lives, statuses, provenance } = await finishedIssues(asked, reporting, looked);
  return {
    issues: found === undefined ? lives.length : provenance.issues,
    finished: (found?.finished ?? 0) + lives.filter(({ finish }) => finish !== null).length,
    cycleTimes: joined(found?.cycleMs, cycleTimes(lives)),
    times(id) {
      const slot = scanned?.statusIds.indexOf(id) ?? -1;
      return joined(found?.times[slot], timesIn(id, lives));
    },
    ...{ statuses, provenance },
    doubts: doubtsOf(lives),
  };
}

function joined(some: Float64Array | undefined, others: readonly number[]): Float64Array {
  if (some !== undefined && others.length === 0) return some;
  const all = new Float64Array((some?.length ?? 0) + others.length);
  all.set(some ?? []);
  all.set(others, some?.length ?? 0);
  return all;
}

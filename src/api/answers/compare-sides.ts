import { yieldToOthers } from '../../concurrency/cooperative-yield.ts';
import type { Comparison } from '../../model/answer.ts';
import type { Instant } from '../../model/issue.ts';
import type { CompareQuestion, Side } from '../../model/question.ts';
import type { Asker } from '../../model/request.ts';
import type { ReportingApi } from '../reporting.ts';
import { cycleTimes, doubtsOf, finishedIssues, type IssueLives, spreadOf, timesIn } from './issue-lives.ts';
import { joinStatuses } from './met-statuses.ts';
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
    return finishedIssues({ asker, selection, dateRange, asOf, calendar }, reporting);
  };
  const both = await Promise.all([livesOf(left), livesOf(right)]);
  // Each figure is found at one go, and others get their turn between two of them.
  const ofBoth = async <Figure>(figure: (side: IssueLives) => Figure): Promise<readonly [Figure, Figure]> => {
    await yieldToOthers();
    const one = figure(both[0]);
    await yieldToOthers();
    return [one, figure(both[1])];
  };
  const doubts = await ofBoth(({ lives }) => doubtsOf(lives));
  const statuses: Comparison['statuses'][number][] = [];
  for (const { id, title, category } of joinStatuses(both.flatMap((side) => side.statuses))) {
    const sides = await ofBoth(({ lives }) => spreadOf(timesIn(id, lives)));
    statuses.push({ id, title, category, sides });
  }
  const [isLeftKnown, isRightKnown] = doubts.map(({ withoutCategory }) => withoutCategory.length === 0);
  const provenanceOf = ({ provenance }: IssueLives, isKnown = true) => ({
    ...provenance,
    reportType: 'compare',
    askedAt: asked === null ? asOf : provenance.askedAt,
    timeZone,
    complete: provenance.complete && isKnown,
  });
  return {
    titles: [left.title, right.title],
    issues: await ofBoth(({ lives }) => lives.length),
    finished: await ofBoth(({ lives }) => lives.filter(({ finish }) => finish !== null).length),
    cycleTime: await ofBoth(({ lives }) => spreadOf(cycleTimes(lives))),
    statuses,
    doubts,
    provenance: [provenanceOf(both[0], isLeftKnown), provenanceOf(both[1], isRightKnown)],
  };
}

import { yieldToOthers } from '../../../concurrency/cooperative-yield.ts';
import type { LeftOut, Week, WeeklyAggregates } from '../../../model/answer.ts';
import type { Instant } from '../../../model/issue.ts';
import type { WeeklyQuestion } from '../../../model/question.ts';
import { type Asker, ask, type Statistic } from '../../../model/request.ts';
import type { Provenance } from '../../../model/table.ts';
import type { ReportingApi } from '../../reporting.ts';
import { isDecided, joinProvenance } from '../answer-provenance.ts';
import { type AskedIssues, doubtsOf, type IssueLife, livesInSlices } from '../issue-lives.ts';
import { joinStatuses, type MetStatus } from '../met-statuses.ts';
import {
  finishedIn,
  type MaybeFinished,
  mayBeFinishedIn,
  maybeFinished,
  whyUnknown,
} from './finished-in-week.ts';
import { allWeeks, mapNine, nineWeeks } from './nine-weeks.ts';
import { aggregate } from './week-figures.ts';

/**
 * What a week was like: issues finished, their time in each status and their cycle times, and the time all issues spent
 * within the week, beside the week before and the eight weeks before. As of an instant (null: now), slice by slice of
 * the issues. `bad-request` for a week that has not begun, and for a zone or a calendar nobody knows.
 */
export async function weeklyAggregates(
  { selection, week: askedWeek, calendar, timeZone }: WeeklyQuestion,
  asker: Asker,
  asked: Instant | null,
  { reporting, now }: { readonly reporting: ReportingApi; readonly now: () => Instant },
): Promise<WeeklyAggregates> {
  const asOf = asked ?? now();
  const weeks = nineWeeks(askedWeek, { asOf, timeZone });
  const issues = { asker, selection, dateRange: null, asOf, calendar };
  const { start } = weeks.earlier[0] ?? weeks.week;
  const gathered = mapNine(
    weeks,
    (week): Gathered => ({
      ...{ week, finished: [], within: new Map() },
      maybe: maybeFinished([]),
    }),
  );
  const statuses: MetStatus[] = [];
  const doubts: Record<'unclear' | 'sinceUnknown', LeftOut[]> = { unclear: [], sinceUnknown: [] };
  const withoutCategory = new Set<string>();
  let [counted, cutHistories] = [0, 0];
  let whole: Provenance | null = null;
  for await (const part of livesInSlices(issues, reporting)) {
    statuses.push(...part.statuses);
    const { unclear, sinceUnknown } = doubtsOf(mayBeFinishedIn(weeks.week, part.lives));
    // One by one: a slice of a service elsewhere is everything, and a call takes only so many arguments.
    for (const one of unclear) doubts.unclear.push(one);
    for (const one of sinceUnknown) doubts.sinceUnknown.push(one);
    for (const life of part.lives) {
      if (!livedIn(life, { start, end: weeks.week.end })) continue;
      counted += 1;
      if (!life.facts.history.complete) cutHistories += 1;
      for (const title of life.withoutCategory) withoutCategory.add(title);
    }
    for (const one of allWeeks(gathered)) {
      const { week, finished, within } = one;
      for (const life of finishedIn(week, part.lives)) finished.push(life);
      one.maybe = maybeFinished(mayBeFinishedIn(week, part.lives), one.maybe);
      // Reports that follow one another are one piece of work to everybody else.
      await yieldToOthers();
      for (const [status, ms] of await timeWithin(week, issues, part.slice)) {
        within.set(status, (within.get(status) ?? 0) + ms);
      }
    }
    whole = whole === null ? part.provenance : joinProvenance(whole, part.provenance);
  }
  if (whole === null) throw new Error('There is always a slice.');
  const provenance = whole;
  const told = mapNine(gathered, ({ maybe, ...one }) => ({
    ...one,
    unknown: whyUnknown(one.week, one.finished, maybe, provenance),
  }));
  return {
    ...(await aggregate(told, joinStatuses(statuses))),
    timeZone,
    doubts: { ...doubts, withoutCategory: [...withoutCategory] },
    provenance: {
      ...provenance,
      reportType: 'weekly',
      askedAt: asked === null ? asOf : provenance.askedAt,
      timeZone,
      issues: counted,
      cutHistories,
      complete: cutHistories === 0 && isDecided(provenance) && withoutCategory.size === 0,
    },
  };
}

/** A week, filled slice by slice. */
interface Gathered {
  readonly week: Week;
  readonly finished: IssueLife[];
  readonly within: Map<string, number>;
  maybe: MaybeFinished;
}

/** Open, or finished, in a span, as far as is known; an issue nobody can tell of may have been. */
function livedIn(
  { facts, finish, open }: IssueLife,
  { start, end }: { readonly start: Instant; readonly end: Instant },
): boolean {
  if (facts.created >= end) return false;
  if (open || finish === null) return true;
  if (finish.untold !== null) return finish.untold.until >= start;
  return finish.at !== null && finish.at >= start;
}

const sum: Statistic = { type: 'sum', denominator: 'nonNull', deviation: 'population', percentile: 50 };

/** Working ms that these issues together spent in each status within a week, by status id: as far as it is known. */
export async function timeWithin(
  week: Week,
  asked: AskedIssues,
  reporting: Pick<ReportingApi, 'report'>,
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await reporting.report(
    ask({
      ...asked,
      reportType: 'statusDuration',
      includeDeletedStatuses: true,
      trim: { from: week.start, to: week.end },
      statistic: sum,
    }),
  );
  const [row] = rows;
  return new Map(Object.entries(row?.cells ?? {}).map(([id, { value }]) => [id, Number(value)]));
}

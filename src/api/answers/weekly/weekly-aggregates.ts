import { yieldToOthers } from '../../../concurrency/cooperative-yield.ts';
import type { Flows } from '../../../model/flow.ts';
import { doubtsOf, mayBeFinishedIn } from '../../outcomes/issue-outcomes.ts';
import type { FinishedSpan } from '../../outcomes/outcomes-api.ts';
import { dataEndsBefore, isDecided, mergeScopes } from '../../outcomes/read-table.ts';
import { flowEfficiency } from '../figures/flow-efficiency.ts';
import type { ReportingContext } from '../question-kind.ts';
import { unknownReason } from './finished-in-week.ts';
import { allWeeks, type Nine, nineOf, nineWeeks, type WeeklyQuestion } from './nine-weeks.ts';
import { aggregate, type MeasuredWeek } from './week-figures.ts';
import type { WeeklyAggregates } from './weekly-answer.ts';

/** All figures of a week but its target, and those of the issues that are open as of the answer. */
type WeekAlone = Omit<WeeklyAggregates, 'attention' | 'target'>;

/** The figures of a week, the issues behind them, and the flows that these go by. */
export interface MeasuredSpans {
  readonly value: WeekAlone;
  readonly spans: Nine<FinishedSpan>;
  readonly flows: Flows;
  /** The projects of the issues that are counted, without those at the other ends of their links; null where unknown. */
  readonly projects: readonly string[] | null;
}

/** The figures of a week alone. */
export async function weeklyAggregates(
  question: WeeklyQuestion,
  context: ReportingContext,
): Promise<WeekAlone> {
  return (await measureWeek(question, context)).value;
}

/**
 * A week: issues finished, their time in each status and their cycle times, the time all issues spent within the week, and
 * how many were in progress at its end, beside the week before and the eight weeks before.
 * `bad-request` for a week that has not begun, and for an unknown zone or calendar.
 */
export async function measureWeek(
  { selection, week: which, calendar, timeZone }: WeeklyQuestion,
  { principal, asOf, parts: { reporting } }: ReportingContext,
): Promise<MeasuredSpans> {
  const flows = await reporting.flows(principal);
  const weeks = nineWeeks(which, { asOf, timeZone });
  const issues = { principal, selection, dateRange: null, asOf, calendar, flows };
  const [found, blocked] = await Promise.all([
    reporting.finishedSpans({
      ...issues,
      bounds: [...allWeeks(weeks).map(({ start }) => start), weeks.week.end],
    }),
    reporting.blockedSpans({
      ...issues,
      bounds: [weeks.weekBefore.start, weeks.week.start, weeks.week.end],
    }),
  ]);
  const { statuses, provenance, doubtful, lived, cutHistories, withoutCategory } = found;
  const complete = cutHistories === 0 && isDecided(provenance) && withoutCategory.length === 0;
  const spans = nineOf(found.spans);
  const progress: (number | null)[] = [];
  for (const { end, inProgress } of [spans.week, spans.weekBefore]) {
    await yieldToOthers();
    const count = await inProgress();
    // None is only none where no other issue can have been in progress, and the data reaches that far.
    const isUnknown = dataEndsBefore(end, provenance) !== null || (count === 0 && !complete);
    progress.push(isUnknown ? null : count);
  }
  const measured: MeasuredWeek[] = [];
  for (const [i, week] of allWeeks(weeks).entries()) {
    const span = found.spans[i];
    if (span === undefined) throw new Error('There is a span of each week.');
    const maybe = mayBeFinishedIn(week, doubtful);
    const unknown = unknownReason(week, span.finished, maybe, provenance);
    measured.push({ week, span, unknown, within: await span.within() });
  }
  const nine = nineOf(measured);
  const figures = await aggregate(nine, statuses);
  const [blockedBefore, blockedInWeek] = blocked?.spans ?? [];
  const contents = blocked === null ? null : mergeScopes(provenance.contents ?? null, blocked.contents);
  const [week = null, weekBefore = null] = progress;
  const { unclear, doneSinceUnknown } = doubtsOf(mayBeFinishedIn(weeks.week, doubtful));
  const value = {
    ...figures,
    inProgress: { week, weekBefore },
    flowEfficiency: {
      week: flowEfficiency(nine.week.within, blockedInWeek?.activeMs),
      weekBefore: flowEfficiency(nine.weekBefore.within, blockedBefore?.activeMs),
    },
    blocked:
      blockedInWeek === undefined || blockedBefore === undefined
        ? null
        : {
            week: { blockedMs: blockedInWeek.ms, issues: blockedInWeek.issues },
            weekBefore: { blockedMs: blockedBefore.ms, issues: blockedBefore.issues },
          },
    unclear,
    doneSinceUnknown,
    statusesWithoutCategory: withoutCategory,
    provenance: {
      ...provenance,
      ...(contents === null ? {} : { contents }),
      reportType: 'weekly',
      timeZone,
      issues: lived,
      cutHistories,
      complete,
    },
  };
  return { value, spans, flows, projects: provenance.contents?.projects ?? null };
}

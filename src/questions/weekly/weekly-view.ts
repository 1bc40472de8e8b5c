import { shorten } from '../../block-kit/shorten.ts';
import type { Compared, Contributor, DurationFigures, WeeklyAggregates } from '../../model/answer.ts';
import type { ViewContext } from '../kind.ts';
import { weeklyChart } from '../view/answer-charts.ts';
import type { Sheet } from '../view/answer-sheet.ts';
import { finishedWarnings } from '../view/answer-warnings.ts';
import { dayMsOf } from '../view/day-length.ts';
import {
  against,
  countChange,
  countOf,
  countOrUnknown,
  countWords,
  finishedChanges,
  signedTime,
  timeChange,
  timeText,
} from '../view/figure-words.ts';
import { footText, historiesOf, queryText } from '../view/foot-text.ts';
import { selectionWords } from '../view/subject-words.ts';
import { type Said, say, sayFigure, type Wording } from '../view/wording.ts';
import type { WeeklyQuestion } from './nine-weeks.ts';
import { weekText } from './week-text.ts';
import { type ShownStatuses, shownStatuses, weeklyDetails, weeklyStatuses } from './weekly-tables.ts';

/** A glance takes no more. */
const STATUSES = 10;
const EXCLUDED = 3;

const SUMMARY_LENGTH = 70;
const REASON_LENGTH = 120;
const WHY_LENGTH = 200;
const BEFORE = 'the week before';

/** A week: what was finished, how long it took, where the time went, and what moved the figures. */
export function weeklyView(
  weekly: WeeklyAggregates,
  { question: { selection }, place }: ViewContext & { readonly question: WeeklyQuestion },
): Sheet {
  const { statuses, provenance, finished, doubts } = weekly;
  const query = queryText(selection, place);
  const which = (wording: Wording) => selectionWords(selection, wording);
  const hasTime = statuses.some(({ within }) => within.week > 0);
  const isEmpty = (finished.week ?? 0) === 0 && !hasTime;
  const told = shownStatuses(statuses, STATUSES);
  const hasDoubts = doubts.sinceUnknown.length + doubts.unclear.length > 0;
  return {
    headline: say((wording) =>
      isEmpty ? emptyText(weekly, which(wording), wording) : headText(weekly, which(wording), wording),
    ),
    warnings: finishedWarnings(provenance, doubts, weekly.week.end, 'this week’s end'),
    fields: isEmpty ? [] : fieldsOf(weekly),
    chart: weeklyChart(weekly),
    table: weeklyStatuses(weekly, told.shown),
    remarks: [...leftOutText(told), ...moversText(weekly), ...excludedText(weekly)],
    page: null,
    foot: say((wording) => footText(historiesOf(provenance), wording, query)),
    details: isEmpty && !hasDoubts ? [] : weeklyDetails(weekly),
    hasFile: true,
    isPersonal: false,
  };
}

function leftOutText({ shown, more, empty }: ShownStatuses): Said[] {
  if (shown.length === 0) return [];
  const left = [
    ...(more > 0 ? [`${more} with less time in the week`] : []),
    ...(empty > 0 ? [`${empty} without any`] : []),
  ];
  if (left.length === 0) return [];
  const all = shown.length + more + empty;
  return [say(() => `Shown: ${shown.length} of ${all} statuses, left out: ${left.join(' and ')}.`)];
}

function emptyText(
  { week, timeZone, finished, finishedUnknown, provenance }: WeeklyAggregates,
  which: string,
  { strong, words }: Wording,
): string {
  const when = weekText(week, timeZone, provenance.asOf);
  if (finished.week === null) {
    const why = words(shorten(finishedUnknown ?? '', WHY_LENGTH));
    return `${strong(`Nothing is known to have been finished in ${when}`)}${which}: ${why}.`;
  }
  const title = strong(`Nothing was finished in ${when}`);
  return `${title}${which}, and no time was spent in a status that counts as work. Ask for another week${which === '' ? '' : ' or other issues'}, or see what is open with ${words('/tis aging')}.`;
}

function headText(weekly: WeeklyAggregates, which: string, wording: Wording): string {
  const { week, timeZone, finished, cycleTime, provenance } = weekly;
  if (finished.week === null) return emptyText(weekly, which, wording);
  const { strong } = wording;
  const dayMs = dayMsOf(provenance.calendar);
  const called = weekText(week, timeZone, provenance.asOf);
  const when = week.whole ? `in ${called}` : `so far in ${called}, which still runs`;
  const moved = countChange(finished.week, finished.weekBefore);
  const more = week.whole && moved !== null ? `, ${against(moved, BEFORE)}` : '';
  const median = cycleTime.week.median;
  const change = timeChange(median, cycleTime.weekBefore.median, dayMs);
  const compared = change === null || !week.whole ? '' : `, ${against(change, BEFORE)}`;
  const took = median === null ? '' : ` Median cycle time: ${strong(timeText(median, dayMs))}${compared}.`;
  return `${strong(`${countOf(finished.week, 'issue')} finished`)}${which} ${when}${more}.${took}`;
}

function fieldsOf({ week, finished, cycleTime, provenance }: WeeklyAggregates): Said[] {
  const dayMs = dayMsOf(provenance.calendar);
  const times: readonly (readonly [string, (spread: DurationFigures) => number | null])[] = [
    ['Cycle time, average', ({ average }) => average],
    ['Cycle time, median', ({ median }) => median],
    ['Cycle time, 85 % within', ({ p85 }) => p85],
    ['Cycle time, spread', ({ deviation }) => deviation],
  ];
  return [
    week.whole
      ? sayFigure('Finished', countOrUnknown(finished.week), finishedChanges(finished))
      : // A part of a week has fewer than a whole one, whatever the team does.
        sayFigure(
          'Finished so far',
          countOrUnknown(finished.week),
          finished.weekBefore === null
            ? []
            : [`${countWords(finished.weekBefore)} in ${BEFORE}, which was whole`],
        ),
    ...times.map(([title, of]) =>
      sayFigure(title, timeText(of(cycleTime.week), dayMs), timeChanges(cycleTime, of, dayMs)),
    ),
  ];
}

function timeChanges(
  { week, weekBefore, eightWeeks }: Compared<DurationFigures>,
  of: (spread: DurationFigures) => number | null,
  dayMs: number,
): string[] {
  const before = timeChange(of(week), of(weekBefore), dayMs);
  const long = timeChange(of(week), of(eightWeeks), dayMs);
  return [
    ...(before === null ? [] : [`${against(before, BEFORE)} (${timeText(of(weekBefore), dayMs)})`]),
    ...(long === null ? [] : [`${against(long, 'in eight weeks')} (${timeText(of(eightWeeks), dayMs)})`]),
  ];
}

/** The issues that moved the average, each with how far. */
function moversText({ movers, against: baseline, provenance }: WeeklyAggregates): Said[] {
  if (baseline === null || movers.length === 0) return [];
  const dayMs = dayMsOf(provenance.calendar);
  const from = baseline === 'weekBefore' ? BEFORE : 'the eight weeks before';
  return [
    say((wording) =>
      [
        wording.strong(`What moved the average away from ${from}, and by how much`),
        ...movers.map((mover) => moverText(mover, dayMs, wording)),
      ].join('\n'),
    ),
  ];
}

function moverText(
  { key, link, summary, cycleMs, shiftMs }: Contributor,
  dayMs: number,
  wording: Wording,
): string {
  const shift = signedTime(shiftMs, 0, dayMs);
  const title = `${wording.key(key, link)} ${wording.words(shorten(summary, SUMMARY_LENGTH))}`.trim();
  return `${title}: took ${timeText(cycleMs, dayMs)} (${shift})`;
}

/** Finished issues that are in no figure of cycle time, and why. */
function excludedText({ withoutCycleTime }: WeeklyAggregates): Said[] {
  if (withoutCycleTime.length === 0) return [];
  const more = withoutCycleTime.length - EXCLUDED;
  return [
    say(({ words }) => {
      const named = withoutCycleTime
        .slice(0, EXCLUDED)
        .map(
          ({ key, reason }) =>
            `${words(shorten(key, SUMMARY_LENGTH))} (${words(shorten(reason, REASON_LENGTH))})`,
        );
      return `Finished, but without a cycle time: ${named.join(', ')}${more > 0 ? ` and ${countWords(more)} more` : ''}.`;
    }),
  ];
}

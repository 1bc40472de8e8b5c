import type { BetweenMetric } from '../../src/model/request.ts';
import type { Cell, MetricState } from '../../src/model/table.ts';
import { type HistoryVisit, visitsTo } from './history.ts';
import { columnAbout, type Define, type DefinedQuestion, factsOf, visitsIn, workIn } from './question.ts';

/** Working time between the statuses of each metric, less that in the statuses it pauses in, and how far it has come. */
export const durationBetweenStatuses: Define = (issue, question) => {
  const visits = visitsIn(issue, 'status', question);
  const clocks = question.request.metrics.map((metric) => ({
    id: metric.name,
    ...clockOf(visits, metric, question),
  }));
  return {
    ...factsOf(issue, ['status'], question),
    columns: clocks.map(({ id }) => columnAbout({ id, title: id }, 'duration')),
    lines: [
      Object.fromEntries(
        clocks.flatMap(({ id, ms }): [string, Cell][] => (ms === null ? [] : [[id, { value: ms }]])),
      ),
    ],
    states: Object.fromEntries(clocks.map(({ id, state }): [string, MetricState] => [id, state])),
  };
};

interface Clock {
  readonly state: MetricState;
  readonly ms: number | null;
}

/**
 * The clock of a metric, by all that may have happened in unknown time: it is known if it starts and stops at the same
 * instants whatever that was, and if no unknown time is among what it counts.
 */
function clockOf(visits: readonly HistoryVisit[], metric: BetweenMetric, question: DefinedQuestion): Clock {
  const runs = possibleVisits(visits, metric).map((possible) => ({
    possible,
    ...startAndStop(possible, metric),
  }));
  const [run] = runs;
  if (run === undefined) return { state: 'notStarted', ms: null };
  const { start, stop } = run;
  const isSame = runs.every(
    (other) => other.start?.start === start?.start && other.stop?.start === stop?.start,
  );
  if (!isSame) return { state: 'unknown', ms: null };
  if (start === undefined) return { state: 'notStarted', ms: null };
  const end = stop === undefined ? run.possible.length : run.possible.indexOf(stop);
  const counted = run.possible.slice(run.possible.indexOf(start), end);
  if (counted.some((visit) => !visits.includes(visit))) return { state: 'unknown', ms: null };
  const isPaused = (visit: HistoryVisit | undefined) => metric.pausedIn.includes(visit?.value?.id ?? '');
  const ms = counted
    .filter((visit) => !isPaused(visit))
    .reduce((sum, visit) => sum + workIn(visit, question), 0);
  if (stop !== undefined) return { state: 'completed', ms };
  return { state: isPaused(visits.at(-1)) ? 'paused' : 'running', ms };
}

/** The visits with which a clock starts and stops: without from statuses it starts with the issue; it stops then or later. */
function startAndStop(visits: readonly HistoryVisit[], { from, to }: BetweenMetric) {
  const starts = from.statuses.length === 0 ? visits.slice(0, 1) : visitsToAny(visits, from.statuses);
  const start = from.visit === 'first' ? starts[0] : starts.at(-1);
  const since = start === undefined ? [] : visits.slice(visits.indexOf(start));
  const stops = visitsToAny(since, to.statuses);
  return { start, stop: to.visit === 'first' ? stops[0] : stops.at(-1) };
}

function visitsToAny(visits: readonly HistoryVisit[], statuses: readonly string[]): readonly HistoryVisit[] {
  return visits.filter((visit) => statuses.some((status) => visitsTo([visit], status).length === 1));
}

/** The visits with one or two statuses in place of unknown time, any of the metric or another one; as they are without it. */
function possibleVisits(
  visits: readonly HistoryVisit[],
  { from, to, pausedIn }: BetweenMetric,
): readonly (readonly HistoryVisit[])[] {
  const gap = visits.find(({ isKnown }) => !isKnown);
  if (gap === undefined) return visits.length === 0 ? [] : [visits];
  const statuses = [...new Set([...from.statuses, ...to.statuses, ...pausedIn, 'any other'])];
  const hidden = statuses.flatMap((one) => [[one], ...statuses.map((other) => [one, other])]);
  return hidden.map((some) => {
    const length = (gap.end - gap.start) / some.length;
    const filling = some.map(
      (id, i): HistoryVisit => ({
        ...gap,
        value: { id, name: id },
        isKnown: true,
        start: gap.start + i * length,
        end: gap.start + (i + 1) * length,
      }),
    );
    return joined([
      ...visits.slice(0, visits.indexOf(gap)),
      ...filling,
      ...visits.slice(visits.indexOf(gap) + 1),
    ]);
  });
}

/** Visits of the same status that follow each other as one, unless the second is known to have begun by itself. */
function joined(visits: readonly HistoryVisit[]): readonly HistoryVisit[] {
  const all: HistoryVisit[] = [];
  for (const visit of visits) {
    const last = all.at(-1);
    if (last !== undefined && visit.beganEarlier && last.value?.id === visit.value?.id) {
      all[all.length - 1] = { ...last, end: visit.end, isOpen: visit.isOpen };
    } else all.push(visit);
  }
  return all;
}

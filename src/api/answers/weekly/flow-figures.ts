import type { WeeklyAggregates, WeeklyStatus } from './weekly-answer.ts';

/** Words in the name of a status in which an issue waits until it can go on, or until another person looks at it. */
const waitingWords =
  /\b(?:wait|waiting|await|awaiting|blocked|impeded|on hold|paused|parked|stalled|pending|queue|queued|ready|review|reviewing)\b/i;

/** Issues wait in a status of category In Progress, by its name: trackers have nothing else about it. */
export function isWaiting({ name: title }: Pick<WeeklyStatus, 'name'>): boolean {
  return waitingWords.test(title);
}

/** The share of active time, of the week and of the week before. */
export function flowEfficiency(statuses: readonly WeeklyStatus[]): WeeklyAggregates['flowEfficiency'] {
  const started = statuses.filter(({ category }) => category === 'In Progress');
  const share = (which: 'week' | 'weekBefore') => {
    const [active, waiting] = [false, true].map((waits) =>
      started.reduce((sum, one) => sum + (isWaiting(one) === waits ? one.withinMs[which] : 0), 0),
    );
    const whole = (active ?? 0) + (waiting ?? 0);
    return whole === 0 || !started.some(isWaiting) ? null : (active ?? 0) / whole;
  };
  return { week: share('week'), weekBefore: share('weekBefore') };
}

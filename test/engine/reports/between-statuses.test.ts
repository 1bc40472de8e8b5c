import { millisecondsInHour } from 'date-fns/constants';
import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import { durationBetweenStatuses } from '../../../src/engine/reports/duration-between-statuses.ts';
import { timeline } from '../../../src/engine/visits/timeline.ts';
import type { Instant, Issue } from '../../../src/model/issue.ts';
import type { BetweenMetric } from '../../../src/model/request.ts';
import { anInstant, anyIssue } from '../../support/arbitrary-issue.ts';
import { anIssue } from '../../support/issue-story.ts';
import { asked, measureOf } from '../../support/measuring.ts';

const hour = (n: number) => `2026-01-05T${String(n).padStart(2, '0')}:00:00Z`;
const metric = (part: Partial<BetweenMetric> = {}): BetweenMetric => ({
  name: 'Cycle',
  from: { statuses: ['Doing'], visit: 'first' },
  to: { statuses: ['Done'], visit: 'first' },
  pausedIn: [],
  ...part,
});
const story = anIssue('WEB-1', hour(0));
const resultOf = ({ issue }: typeof story, wanted: BetweenMetric, at = 20) =>
  betweenStatuses(issue, wanted, Date.parse(hour(at)));

/** What the clock of a metric says of an issue as of an instant. */
function betweenStatuses(issue: Issue, wanted: BetweenMetric, at: Instant) {
  const context = asked(new Date(at).toISOString(), { metrics: [wanted] });
  const { lines, states } = measureOf(durationBetweenStatuses, issue, context);
  return { ms: lines[0]?.[wanted.name]?.value ?? null, state: states?.[wanted.name] };
}

const reopened = story
  .moves('Doing', hour(1))
  .moves('Blocked', hour(3))
  .moves('Doing', hour(4))
  .moves('Done', hour(6))
  .moves('Doing', hour(10))
  .moves('Done', hour(13));

describe('the clock', () => {
  test('has not started before a from status is reached', () => {
    expect(resultOf(story, metric())).toEqual({ ms: null, state: 'notStarted' });
  });

  test('runs to the asked instant until a to status is reached', () => {
    expect(resultOf(story.moves('Doing', hour(2)), metric(), 9)).toEqual({
      ms: 7 * millisecondsInHour,
      state: 'running',
    });
  });

  test('stands still in the statuses it pauses in', () => {
    const blocked = story.moves('Doing', hour(2)).moves('Blocked', hour(5));
    const pausing = metric({ pausedIn: ['Blocked'] });
    expect(resultOf(blocked, pausing, 9)).toEqual({ ms: 3 * millisecondsInHour, state: 'paused' });
    expect(resultOf(reopened, pausing)).toEqual({ ms: 4 * millisecondsInHour, state: 'completed' });
  });

  test('runs from the creation when no from status is named', () => {
    const lead = metric({ from: { statuses: [], visit: 'first' } });
    expect(resultOf(reopened, lead)).toEqual({ ms: 6 * millisecondsInHour, state: 'completed' });
  });

  test.each([
    ['first', 'first', 5],
    ['first', 'last', 12],
    ['last', 'first', 3],
    ['last', 'last', 3],
  ] as const)('from the %s visit to the %s visit: %i hours', (from, to, hours) => {
    const wanted = metric({
      from: { statuses: ['Doing'], visit: from },
      to: { statuses: ['Done'], visit: to },
    });
    expect(resultOf(reopened, wanted)).toEqual({ ms: hours * millisecondsInHour, state: 'completed' });
  });

  test('runs again after a reopening when the last visit starts it', () => {
    const wanted = metric({ from: { statuses: ['Doing'], visit: 'last' } });
    expect(
      resultOf(story.moves('Doing', hour(1)).moves('Done', hour(2)).moves('Doing', hour(5)), wanted, 9),
    ).toEqual({ ms: 4 * millisecondsInHour, state: 'running' });
  });
});

test('a cut history gives no figure where its unknown time could hide the first visit', () => {
  const cut = reopened.historyIs({
    complete: false,
    unknownFrom: null,
    unknownUntil: Date.parse('2026-01-05T00:30:00Z'),
    reason: 'the export holds the newest changes only',
  });
  expect(resultOf(cut, metric())).toEqual({ ms: null, state: 'unknown' });
  const last = metric({ from: { statuses: ['Doing'], visit: 'last' } });
  expect(resultOf(cut, last)).toEqual({ ms: 3 * millisecondsInHour, state: 'completed' });
});

test('from creation to the first of all statuses that follow is the time in the first status', () => {
  fc.assert(
    fc.property(anyIssue, anInstant, (issue, at) => {
      const complete = { ...issue, history: { complete: true } as const };
      const { visits } = timeline(complete, 'status', at);
      const [first, second] = visits;
      fc.pre(first !== undefined && second?.value != null && second.value.id !== first.value?.id);
      const lead = metric({
        from: { statuses: [], visit: 'first' },
        to: { statuses: [second?.value?.id ?? ''], visit: 'first' },
      });
      expect(betweenStatuses(complete, lead, at)).toEqual({
        ms: (first?.end ?? 0) - (first?.start ?? 0),
        state: 'completed',
      });
    }),
  );
});

test('what the clock leaves out while paused is exactly the time in those statuses', () => {
  fc.assert(
    fc.property(anyIssue, anInstant, (issue, at) => {
      const complete = { ...issue, history: { complete: true } as const };
      const { visits } = timeline(complete, 'status', at);
      const never = { statuses: ['nowhere'], visit: 'first' } as const;
      const paused = visits[0]?.value?.id ?? '';
      const whole = metric({ from: { statuses: [], visit: 'first' }, to: never });
      const less = Number(betweenStatuses(complete, { ...whole, pausedIn: [paused] }, at).ms);
      const inPaused = visits
        .filter(({ value }) => value?.id === paused)
        .reduce((sum, { start, end }) => sum + end - start, 0);
      expect(less + inPaused).toBe(Number(betweenStatuses(complete, whole, at).ms));
    }),
  );
});

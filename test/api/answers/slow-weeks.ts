import { millisecondsInDay, millisecondsInHour, millisecondsInWeek } from 'date-fns/constants';
import type { ProjectFlow, Target, WorkKind } from '../../../src/model/flow.ts';
import type { Instant, Issue } from '../../../src/model/issue.ts';
import { calendarOf } from '../../../src/time/calendar.ts';
import { calendars, end, start } from './a-team.ts';
import { slowFlow } from './some-flows.ts';

/** Working ms between two instants. */
export type Between = (from: Instant, until: Instant) => number;

interface Stay {
  readonly id: string;
  readonly from: Instant;
  readonly until: Instant;
}

/** What became of one issue, counted out change by change. */
export interface SlowLife {
  readonly key: string;
  readonly created: Instant;
  readonly cut: boolean;
  /** Some of its life up to the instant is unknown. */
  readonly unknown: boolean;
  readonly stays: readonly Stay[];
  /** Its last stay still lasts, as far as its changes tell. */
  readonly lasting: boolean;
  /** It is done, be it as finished work or not. */
  readonly done: boolean;
  /** When it became done; at the latest, where nobody knows. */
  readonly endedAt: Instant | null;
  readonly finished: boolean;
  /** It is work of its flow. */
  readonly counts: boolean;
  readonly kindOf: (id: string) => WorkKind;
  readonly open: boolean;
  readonly finishedAt: Instant | null;
  /** It is done, but nobody knows since when. */
  readonly sinceUnknown: boolean;
  /** Nobody can tell whether it is open or done. */
  readonly unclear: boolean;
  /** Then it may be finished work. */
  readonly mayBeFinished: boolean;
  /** It was in a status whose kind nobody knows. */
  readonly strange: boolean;
  readonly cycleMs: number | null;
  /** Of one that is started and whose whole history is known: the time on its clock by an instant, be it still to come. */
  readonly clock: ((at: Instant) => number) | null;
  readonly target: Target | null;
}

/** The issues that were there at an instant, each counted out. */
export function slowLives(
  issues: readonly Issue[],
  asOf: Instant,
  between: Between,
  flows: readonly ProjectFlow[] = [],
): readonly SlowLife[] {
  return issues
    .filter(({ created }) => created <= asOf)
    .map((issue) => slowLife(issue, asOf, between, flows));
}

/** The team's calendars, and how long a working day of each is on the wall. */
export const measures: readonly {
  readonly calendar: string;
  readonly between: Between;
  readonly dayMs: number;
}[] = [
  { calendar: 'normalHours', between: (from, until) => until - from, dayMs: millisecondsInDay },
  ...calendars.map((definition) => ({
    calendar: definition.name,
    between: calendarOf(definition).between,
    dayMs: (definition.name === 'Office' ? 7 : 8) * millisecondsInHour,
  })),
];

/** The same with its numbers rounded: floating point adds up in another order. */
export function near<Value>(value: Value, digits = 3): Value {
  const rounded = (_: string, one: unknown) => (typeof one === 'number' ? Number(one.toFixed(digits)) : one);
  return JSON.parse(JSON.stringify(value, rounded));
}

/** Every stay of an issue as far as its changes tell it, and what follows from them. */
export function slowLife(
  issue: Issue,
  asOf: Instant,
  between: Between,
  flows: readonly ProjectFlow[] = [],
): SlowLife {
  const { history, created } = issue;
  const { kindOf, pauses, target, counts, countsFinish } = slowFlow(flows, issue);
  const { stays, unknown, here, leaves } = history.complete
    ? { stays: walk(issue, created, created, asOf), unknown: false, here: true, leaves: [] }
    : walkAround(issue, history.unknownFrom, history.unknownUntil, asOf);
  const last = here ? stays.at(-1) : undefined;
  // What the tracker shows is true, whatever the history left out.
  const shown = asOf >= issue.updated ? issue.status.id : last?.id;
  const kind = shown === undefined ? 'unknown' : kindOf(shown);
  const isDone = kind === 'done';
  const isTold = isDone && last?.id === shown;
  const gapEnd = history.complete ? null : history.unknownUntil;
  let endedAt: Instant | null = null;
  let isClear = true;
  for (const { id, until } of [...leaves, ...stays]) {
    const known = !unknown || (gapEnd !== null && until >= gapEnd);
    if (!isTold || !known || kindOf(id) === 'done') continue;
    endedAt = until;
    isClear = kindOf(id) !== 'unknown';
  }
  const left = endedAt !== null;
  const endedBy = isTold ? (endedAt ?? gapEnd ?? asOf) : asOf;
  if (!isClear) endedAt = null;
  const finishedAt = countsFinish ? endedAt : null;
  const sinceUnknown = isDone && endedAt === null && (unknown || left || !isTold);
  const strange = [
    ...[...leaves, ...stays].map(({ id }) => id),
    ...(shown === undefined ? [] : [shown]),
  ].some((id) => kindOf(id) === 'unknown');
  const isWork = (id: string) => kindOf(id) === 'active' || kindOf(id) === 'waiting';
  const began = stays.find(({ id }) => isWork(id))?.from;
  const end = finishedAt;
  const paused = stays
    .filter(({ id, from }) => pauses && kindOf(id) === 'queue' && from >= (began ?? 0) && from < (end ?? 0))
    .reduce((sum, { from, until }) => sum + between(from, until), 0);
  const isStarted = last !== undefined && last.id === shown && isWork(last.id);
  const clock = (at: Instant) =>
    stays
      .filter(({ id, from }) => from >= (began ?? 0) && !(pauses && kindOf(id) === 'queue'))
      .map((stay) => (stay === last ? { ...stay, until: Number.POSITIVE_INFINITY } : stay))
      .filter(({ from }) => from < at)
      .reduce((sum, { from, until }) => sum + between(from, Math.min(until, at)), 0);
  return {
    clock: isStarted && !unknown && !strange ? clock : null,
    target,
    key: issue.key,
    created,
    cut: !history.complete,
    unknown,
    stays,
    lasting: last !== undefined,
    done: isDone,
    finished: isDone && countsFinish,
    endedAt: sinceUnknown ? endedBy : endedAt,
    counts,
    kindOf,
    open: kind !== 'unknown' && !isDone,
    finishedAt,
    sinceUnknown: countsFinish && sinceUnknown,
    unclear: kind === 'unknown',
    mayBeFinished: kind === 'unknown' && countsFinish,
    strange,
    cycleMs:
      unknown || strange || finishedAt === null || began === undefined
        ? null
        : between(began, finishedAt) - paused,
  };
}

/** Stays by the changes from an instant on, up to another. */
function walk({ changes, status }: Issue, since: Instant, start: Instant, until: Instant): Stay[] {
  const later = changes.filter(({ at }) => at >= since);
  let id = later[0]?.from?.id ?? status.id;
  let from = start;
  const stays: Stay[] = [];
  for (const { at, to } of later) {
    if (at > until || to === null) break;
    stays.push({ id, from, until: at });
    id = to.id;
    from = at;
  }
  stays.push({ id, from, until });
  return stays;
}

function walkAround(issue: Issue, lostFrom: Instant | null, lostUntil: Instant | null, asOf: Instant) {
  // Without a change that is known before it, nothing is known since the creation.
  const from = lostFrom !== null && lostFrom > issue.created ? lostFrom : null;
  if (lostUntil !== null && lostUntil <= (from ?? issue.created)) {
    const stays = walk(issue, issue.created, issue.created, asOf);
    return { stays, unknown: false, here: true, leaves: [] };
  }
  const early = { ...issue, changes: issue.changes.filter(({ at }) => from !== null && at <= from) };
  const before = from === null ? [] : walk(early, issue.created, issue.created, Math.min(from, asOf));
  if (from !== null && asOf <= from) return { stays: before, unknown: false, here: true, leaves: [] };
  if (lostUntil === null || asOf < lostUntil) {
    return { stays: before, unknown: true, here: false, leaves: [] };
  }
  const [first, ...rest] = walk(issue, lostUntil, lostUntil, asOf);
  if (first === undefined) throw new Error('Somewhere it is');
  const isStay = first.until > lostUntil || rest.length === 0;
  // The change that ends the unknown time tells what it came from, and nothing else of that.
  return {
    stays: [...before, ...(isStay ? [first] : []), ...rest],
    unknown: true,
    here: true,
    leaves: isStay ? [] : [first],
  };
}

/** Time in a status of one life, clipped to a span; null where it never was there. */
export function slowTime(
  { stays }: SlowLife,
  id: string,
  between: Between,
  [from, until]: readonly [Instant, Instant] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
): number | null {
  let sum: number | null = null;
  for (const stay of stays) {
    if (stay.id !== id) continue;
    const [start, end] = [Math.max(stay.from, from), Math.min(stay.until, until)];
    sum = (sum ?? 0) + (start < end ? between(start, end) : 0);
  }
  return sum;
}

const mondays = new Map<string, readonly Instant[]>();

/** Mondays at midnight of a zone, around the team's weeks: found by looking at its clock every half hour. */
export function mondaysOf(timeZone: string): readonly Instant[] {
  const known = mondays.get(timeZone);
  if (known !== undefined) return known;
  const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone, weekday: 'short', ...time });
  const until = end + 2 * millisecondsInWeek;
  const found: Instant[] = [];
  for (let at = start - 16 * millisecondsInWeek; (found.at(-1) ?? 0) <= until; at += millisecondsInHour / 2) {
    if (clock.format(at) === 'Mon 00:00') found.push(at);
  }
  mondays.set(timeZone, found);
  return found;
}

/** Average, median, 85th percentile and deviation as a school book has them. */
export function slowSpread(values: readonly number[]) {
  const sorted = values.toSorted((a, b) => a - b);
  const count = sorted.length;
  if (count === 0) return { count, averageMs: null, medianMs: null, p85Ms: null, deviationMs: null };
  const averageMs = sorted.reduce((a, b) => a + b, 0) / count;
  const at = (share: number) => {
    const rank = (count - 1) * share;
    const [low, high] = [sorted[Math.floor(rank)] ?? 0, sorted[Math.ceil(rank)] ?? 0];
    return low + (high - low) * (rank - Math.floor(rank));
  };
  const squares = sorted.reduce((sum, value) => sum + (value - averageMs) ** 2, 0);
  return { count, averageMs, medianMs: at(0.5), p85Ms: at(0.85), deviationMs: Math.sqrt(squares / count) };
}

import { millisecondsInHour } from 'date-fns/constants';
import type { AwayToo, CategoryId, Coverage, Delegation, TimeSpan, Uncovered } from '../model/delegation.ts';
import type { Instant } from '../model/issue.ts';
import { compareIds } from '../model/issues/ids-and-names.ts';
import { chainEnds } from './chain.ts';
import { compareByStart, coversCategory } from './delegates-at.ts';
import { type DelegateMoment, type DelegateMoments, indexMoments, isSameList, lastFrom } from './moments.ts';

/** Options of a survey, each with a default. */
interface SurveyOptions {
  /** Delegations at least as far apart as this are two absences. */
  readonly gapMs?: number;
  /** True for a person who is known; an unknown one does not cover. Without it everyone is known. */
  readonly isKnown?: (person: string) => boolean;
  /** The survey has the people who are left where a delegate is away too. */
  readonly withRemaining?: boolean;
  /** Called often: a promise to wait for while others get their turn, or null. */
  readonly pace?: () => Promise<void> | null;
}

/** Delegations as far apart as this are two absences, with no gap in between. A weekend is shorter. */
const DEFAULT_GAP_MS = 72 * millisecondsInHour;

/**
 * The delegations of a span, the people who are uncovered, and those whose delegate is away too. Lists are by time, then
 * person, category and the rest.
 */
export async function surveyCoverage(
  delegations: readonly Delegation[],
  span: TimeSpan,
  {
    gapMs = DEFAULT_GAP_MS,
    isKnown = () => true,
    withRemaining = true,
    pace = () => null,
  }: SurveyOptions = {},
): Promise<Coverage> {
  const effective = delegations.filter(({ active, start, end }) => active && start < end);
  // The delegations that begin with the end of the span are needed to find those that end with it.
  const near = effective.filter(({ start, end }) => start <= span.until && span.from < end);
  const inSpan = near.filter(({ start }) => start < span.until).sort(compareByStart);
  const moments = indexMoments(near);

  const gaps: Uncovered[] = [];
  for (const [person, own] of Map.groupBy(effective, ({ delegator }) => delegator)) {
    const pause = pace();
    if (pause !== null) await pause;
    for (const gap of findGaps(person, own, span, gapMs)) gaps.push(gap);
  }
  const { nobody, awayToo } = await surveyStretches(inSpan, span, { moments, isKnown, withRemaining, pace });
  return {
    span,
    delegations: inSpan,
    uncovered: inOrder([...gaps, ...nobody]),
    awayToo: inOrder(awayToo),
    ending: findEnding(inSpan, moments, { span, gaps }),
  };
}

/** Surveys everyone at the beginning, and again when the findings no longer hold. */
async function surveyStretches(
  inSpan: readonly Delegation[],
  span: TimeSpan,
  {
    moments,
    isKnown,
    withRemaining,
    pace,
  }: Required<Omit<SurveyOptions, 'gapMs'>> & { readonly moments: DelegateMoments },
): Promise<{ readonly nobody: readonly Uncovered[]; readonly awayToo: readonly AwayToo[] }> {
  const nobody = joinStretches<Omit<Uncovered, keyof TimeSpan>>(() => true);
  const awayToo = joinStretches<Omit<AwayToo, keyof TimeSpan>>(areLeftAlike);
  const survey = surveyPerson(moments, { isKnown, withRemaining });
  const due = new Map<Instant, string[]>([
    [span.from, [...new Set(inSpan.map(({ delegator }) => delegator))]],
  ]);
  const changes = inSpan.flatMap(({ start, end }) => [start, end]);
  const within = changes.filter((at) => span.from < at && at < span.until).sort((a, b) => a - b);
  for (const from of new Set([span.from, ...within])) {
    for (const person of due.get(from) ?? []) {
      const pause = pace();
      if (pause !== null) await pause;
      const found = survey(person, from);
      const until = Math.min(found.until, span.until);
      for (const { categoryId, reason } of found.nobody) {
        nobody.add([person, categoryId, reason], { person, categoryId, reason }, { from, until });
      }
      for (const away of found.away) {
        awayToo.add([person, away.categoryId, away.delegate], { person, ...away }, { from, until });
      }
      const others = due.get(until);
      if (others === undefined) due.set(until, [person]);
      else others.push(person);
    }
    due.delete(from);
  }
  return { nobody: nobody.all(), awayToo: awayToo.all() };
}

function inOrder<Stretch extends AwayToo | Uncovered>(stretches: readonly Stretch[]): readonly Stretch[] {
  // Sorting keeps entries that are equal by these as they were found: delegates in order.
  return stretches.toSorted(
    (a, b) => a.from - b.from || compareIds(a.person, b.person) || (a.categoryId ?? 0) - (b.categoryId ?? 0),
  );
}

/**
 * The delegations that end within the span, at its very end included (no one covers from then on, and the span that
 * follows would not include it), unless in each of their categories another delegation of the delegator is in force at
 * once, or a gap begins that is reported. By end, then id.
 */
function findEnding(
  inSpan: readonly Delegation[],
  moments: DelegateMoments,
  { span, gaps }: { readonly span: TimeSpan; readonly gaps: readonly Uncovered[] },
): readonly Delegation[] {
  const reported = new Set(
    gaps.map(({ person, from, categoryId }) => JSON.stringify([person, from, categoryId])),
  );
  const isReported = (person: string, from: number, id: CategoryId) =>
    reported.has(JSON.stringify([person, from, id])) || reported.has(JSON.stringify([person, from, null]));
  return inSpan
    .filter(({ end }) => span.from < end && end <= span.until)
    .filter(({ delegator, categoryIds, end }) => {
      const onwards = moments.at(end);
      const categories: readonly CategoryId[] = categoryIds.length === 0 ? [null] : categoryIds;
      return categories.some(
        (id) => onwards.delegatesOf(delegator, id).length === 0 && !isReported(delegator, end, id),
      );
    })
    .sort((a, b) => a.end - b.end || a.id - b.id);
}

/** Stretches added in order of time; those that adjoin and have the same fact are made one. */
interface JoinedStretches<Fact> {
  /** `of` is the subject of the fact: of one subject there is one fact at a time. */
  add(of: readonly unknown[], fact: Fact, span: TimeSpan): void;
  /** All stretches in the order in which they began. */
  all(): readonly (Fact & TimeSpan)[];
}

function joinStretches<Fact>(isSame: (a: Fact, b: Fact) => boolean): JoinedStretches<Fact> {
  const stretches: (TimeSpan & { readonly fact: Fact })[] = [];
  const latest = new Map<string, number>();
  return {
    add(of, fact, { from, until }) {
      const key = JSON.stringify(of);
      const index = latest.get(key) ?? stretches.length;
      const before = stretches[index];
      if (before?.until === from && isSame(before.fact, fact)) {
        stretches[index] = { ...before, until };
        return;
      }
      latest.set(key, stretches.length);
      stretches.push({ fact, from, until });
    },
    all: () => stretches.map(({ fact, from, until }) => ({ ...fact, from, until })),
  };
}

/**
 * The stretches in which one delegation of a person has ended and the next, less than `gapMs` later, is yet to begin, in
 * `general` and in every category the person's delegations name. A person who is away for less than the stretch on one
 * side of it comes and goes, such as every evening, and has no gap. A gap of `general` is not reported again for a
 * category. `own` are all delegations of the person that are active and of some length, also those outside the
 * span: a gap has its whole length, but is reported within the span only.
 */
function findGaps(
  person: string,
  own: readonly Delegation[],
  span: TimeSpan,
  gapMs: number,
): readonly Uncovered[] {
  const inOrder = own.toSorted(compareByStart);
  const general = gapsOf(inOrder, null, gapMs);
  const ids = [...new Set(inOrder.flatMap(({ categoryIds }) => categoryIds))];
  // A delegate for `general` covers the category too, so a gap lies in one of `general` or beside them all.
  const isNew = (gap: TimeSpan) =>
    gap.until > (lastFrom(general, gap.from)?.until ?? Number.NEGATIVE_INFINITY);
  const reported = (categoryId: CategoryId, gap: TimeSpan): Uncovered => ({
    person,
    categoryId,
    reason: 'gap',
    from: Math.max(gap.from, span.from),
    until: Math.min(gap.until, span.until),
  });
  return [
    ...general.map((gap) => reported(null, gap)),
    ...ids.flatMap((id) =>
      gapsOf(inOrder, id, gapMs)
        .filter(isNew)
        .map((gap) => reported(id, gap)),
    ),
  ].filter(({ from, until }) => from < until);
}

function gapsOf(inOrder: readonly Delegation[], categoryId: CategoryId, gapMs: number): readonly TimeSpan[] {
  const away: TimeSpan[] = [];
  for (const delegation of inOrder) {
    if (!coversCategory(delegation, categoryId)) continue;
    const { start, end } = delegation;
    const last = away.at(-1);
    if (last === undefined || start > last.until) away.push({ from: start, until: end });
    else if (end > last.until) away.splice(-1, 1, { from: last.from, until: end });
  }
  return away.flatMap((next, i) => {
    const before = away[i - 1];
    if (before === undefined) return [];
    const gap = { from: before.until, until: next.from };
    return lengthOf(gap) < Math.min(gapMs, lengthOf(before), lengthOf(next)) ? [gap] : [];
  });
}

function lengthOf({ from, until }: TimeSpan): number {
  return until - from;
}

/** A delegate who is away too, and those who are left. */
type Away = Pick<AwayToo, 'delegate' | 'categoryId' | 'standIns'>;

/** The findings about one person from an instant on. */
interface PersonCoverage {
  /** Categories in which no one is there to cover: all are away in a circle, or unknown. */
  readonly nobody: readonly Pick<Uncovered, 'categoryId' | 'reason'>[];
  readonly away: readonly Away[];
  /** The instant until which the findings hold; Infinity: for ever. */
  readonly until: Instant;
}

/**
 * Surveys people who are away: whether a person is there at the end of their chain, and which delegates are away too, in
 * `general` and in every category that a delegation on the way names, a category without the findings of `general`.
 * An unknown person does not cover. `withRemaining` false leaves out those who are left. Instants must not go back.
 */
function surveyPerson(
  moments: DelegateMoments,
  {
    isKnown,
    withRemaining,
  }: { readonly isKnown: (person: string) => boolean; readonly withRemaining: boolean },
): (person: string, at: Instant) => PersonCoverage {
  const onTheWay = rememberWalks(moments, (moment, person, met) =>
    namedOnTheWay(moments, moment, person, met),
  );
  const endsIn = new Map<CategoryId, (person: string, at: Instant) => Found<string>>();
  const endsOf = (categoryId: CategoryId) => {
    const known = endsIn.get(categoryId) ?? rememberWalks(moments, (...walk) => ends(categoryId, ...walk));
    endsIn.set(categoryId, known);
    return known;
  };

  return (person, at) => {
    const moment = moments.at(at);
    const named = onTheWay(person, at);
    const byCategory = [null, ...named.found].map((categoryId) => {
      const delegates = moment.delegatesOf(person, categoryId);
      const isAway = (delegate: string) => moment.delegatesOf(delegate, categoryId).length > 0;
      const left = delegates.filter(isAway).map((delegate) => {
        const { found: all, until } = endsOf(categoryId)(delegate, at);
        const found = all.filter(isKnown);
        return { delegate, found, until, isUnknown: found.length < all.length };
      });
      // A delegate who is there is at an end; else the chain of one who is away has an end.
      const present = delegates.filter((delegate) => !isAway(delegate));
      const isNobody =
        delegates.length > 0 && !present.some(isKnown) && left.every(({ found }) => found.length === 0);
      const reason =
        present.length > 0 || left.some(({ isUnknown }) => isUnknown)
          ? ('unknown' as const)
          : ('loop' as const);
      return { categoryId, left, isNobody, reason };
    });
    const [general = [], ...others] = byCategory.map(({ categoryId, left }) =>
      left.map(
        ({ delegate, found }): Away => ({ delegate, categoryId, standIns: withRemaining ? found : null }),
      ),
    );
    const inGeneral = new Map(general.map((one) => [one.delegate, one]));
    const isNew = (one: Away) => {
      const same = inGeneral.get(one.delegate);
      return same === undefined || !areLeftAlike(same, one);
    };
    const nobody = byCategory.filter(({ isNobody }) => isNobody);
    const inAll = nobody.find(({ categoryId }) => categoryId === null);
    return {
      nobody: (inAll === undefined ? nobody : [inAll]).map(({ categoryId, reason }) => ({
        categoryId,
        reason,
      })),
      away: [...general, ...others.flat().filter(isNew)],
      until: byCategory
        .flatMap(({ left }) => left)
        .reduce((least, { until }) => Math.min(least, until), Math.min(named.until, moment.holdsUntil())),
    };
  };
}

/** True if two findings about a delegate have the same people left. */
function areLeftAlike(a: Pick<Away, 'standIns'>, b: Pick<Away, 'standIns'>): boolean {
  return isSameList(a.standIns ?? [], b.standIns ?? []);
}

/** The people without delegates who can be reached from a person. */
function ends(
  categoryId: CategoryId,
  moment: DelegateMoment,
  person: string,
  met: Set<string>,
): readonly string[] {
  const delegatesOf = (one: string) => {
    met.add(one);
    return moment.delegatesOf(one, categoryId);
  };
  return [...chainEnds(person, delegatesOf)];
}

/** Categories whose findings may differ from those of `general`. */
function namedOnTheWay(
  moments: DelegateMoments,
  moment: DelegateMoment,
  person: string,
  met: Set<string>,
): readonly number[] {
  const ids = new Set<number>();
  met.add(person);
  // The iteration of a set reaches entries that are added meanwhile.
  for (const one of met) {
    for (const delegate of moment.delegatesInAny(one)) met.add(delegate);
    for (const id of moments.namedBy(one)) ids.add(id);
    if (ids.size === moments.named.size) break;
  }
  return [...ids].sort((a, b) => a - b);
}

/** The result of a walk, and the instant until which it stays the same. */
interface Found<One> {
  readonly found: readonly One[];
  readonly until: Instant;
}

/**
 * Goes from a person to those who cover for them, and so on. It adds everyone it meets to `met`, and may end early once
 * it has found something.
 */
type Walk<One> = (moment: DelegateMoment, person: string, met: Set<string>) => readonly One[];

/**
 * Repeats a walk only when something on it has changed. Instants must not go back. The same array is returned while its
 * entries are the same.
 */
function rememberWalks<One>(
  moments: DelegateMoments,
  walk: Walk<One>,
): (person: string, at: Instant) => Found<One> {
  const known = new Map<string, Found<One>>();
  return (person, at) => {
    const before = known.get(person);
    if (before !== undefined && at < before.until) return before;
    const moment = moments.at(at);
    const met = new Set([person]);
    const found = walk(moment, person, met);
    const until = moment.holdsUntil();
    // A walk that finds nothing has met only people whose own walks find nothing.
    if (found.length === 0) for (const one of met) known.set(one, { found, until });
    const same = before !== undefined && isSameList(before.found, found);
    const result = { found: same ? before.found : found, until };
    known.set(person, result);
    return result;
  };
}

import type { Directory } from '../../../src/model/directory.ts';
import type {
  Change,
  FieldContent,
  FieldValue,
  Issue,
  Status,
  StatusCategory,
  User,
} from '../../../src/model/issue.ts';
import { compareIds, compareText } from '../../../src/model/issues/ids-and-names.ts';
import { joinValues } from '../../../src/model/issues/value-sets.ts';

/** The issues there are, and what is known beside them as of an instant. */
export interface DefinedWorld {
  readonly issues: readonly Issue[];
  readonly now: number;
  readonly timeZone: string;
  readonly statuses: ReadonlyMap<string, Status>;
  readonly users: ReadonlyMap<string, User>;
  readonly directory: Directory;
}

/** What a field held is not known. */
export const UNSURE = Symbol('unsure');

/** An issue had a value from an instant to another; `cameFrom`: what the change that began it says it came from. */
export interface Stay {
  readonly value: FieldValue | null;
  readonly known: boolean;
  readonly start: number;
  readonly end: number;
  readonly cameFrom?: FieldValue;
}

/** The changes of one field, as the issue has them. */
export function changesIn({ changes }: Issue, field: string): readonly Change[] {
  return changes.filter((change) => change.field === field);
}

/** All values of a field from the creation until an instant. */
export function staysOf(issue: Issue, field: string, now: number): readonly Stay[] {
  const { created } = issue;
  if (now < created) return [];
  const changes = inOrder(issue, field);
  const gap = lostOf(issue);
  if (gap === null) return tiles(created, now, valueBefore(changes, issue, field), changes);
  const upTo = changes.filter(({ at }) => at <= (gap.from ?? Number.NEGATIVE_INFINITY));
  const begins = gap.from !== null && upTo.length > 0 ? gap.from : created;
  const before =
    upTo.length === 0
      ? []
      : tiles(
          created,
          Math.min(begins, now),
          valueBefore(upTo, issue, field),
          upTo.filter(({ at }) => at <= now),
        );
  if (before.length > 0 && now <= begins) return before;
  const lost = { value: null, known: false, start: begins, end: Math.min(now, gap.until ?? now) };
  if (gap.until === null || now < gap.until) return [...before, { ...lost, end: now }];
  const { until } = gap;
  const since = changes.filter(({ at }) => at >= until);
  const [first, second, ...others] = tiles(until, now, valueBefore(since, issue, field), since);
  if (first === undefined) return [...before, lost];
  if (second === undefined || first.end > until)
    return [...before, lost, first, ...(second ? [second] : []), ...others];
  const came = first.value === null ? second : { ...second, cameFrom: first.value };
  return [...before, lost, came, ...others];
}

function lostOf({ history, created }: Issue): { from: number | null; until: number | null } | null {
  if (history.complete) return null;
  const from = history.unknownFrom !== null && history.unknownFrom > created ? history.unknownFrom : null;
  const until = history.unknownUntil;
  return until !== null && until <= (from ?? created) ? null : { from, until };
}

function valueBefore(changes: readonly Change[], issue: Issue, field: string): FieldValue | null {
  const [first] = changes;
  return first === undefined ? oneValue(issue.fields[field]) : first.from;
}

/** A content as one value. */
function oneValue(content: FieldContent | undefined): FieldValue | null {
  if (content === undefined || content === null || content === '') return null;
  if (typeof content !== 'object') return { id: String(content), name: String(content) };
  return 'id' in content ? content : joinValues(content);
}

function tiles(start: number, now: number, first: FieldValue | null, changes: readonly Change[]): Stay[] {
  const happened = changes.filter(({ at }) => at <= now);
  const starts = [start, ...happened.map(({ at }) => Math.max(at, start))];
  const values = [first, ...happened.map(({ to }) => to)];
  return values.map((value, i) => ({
    ...{ value, known: true, start: starts[i] ?? start, end: starts[i + 1] ?? now },
  }));
}

/** By instant; those of one instant so that each begins where the one before ended, where that is possible. */
function inOrder(issue: Issue, field: string): readonly Change[] {
  const sorted = [...changesIn(issue, field)].sort(
    (a, b) =>
      a.at - b.at ||
      compareIds(a.entry, b.entry) ||
      a.item - b.item ||
      compareText(a.from?.id ?? '', b.from?.id ?? '') ||
      compareText(a.to?.id ?? '', b.to?.id ?? '') ||
      compareText(a.by ?? '', b.by ?? ''),
  );
  const groups = [...Map.groupBy(sorted, ({ at }) => at).values()];
  if (groups.length === sorted.length) return sorted;
  const content = issue.fields[field];
  const isOne = content === null || (typeof content === 'object' && content !== undefined && 'id' in content);
  let next = issue.history.complete && isOne ? [oneValue(content)?.id ?? null] : [];
  const chains = groups
    .toReversed()
    .map((group) => {
      const possible = group.flatMap((one) => {
        const rest = chained(
          group.filter((other) => other !== one),
          one.to,
        );
        return rest === null ? [] : [[one, ...rest]];
      });
      const fits = (chain: readonly Change[]) => next.includes(chain.at(-1)?.to?.id ?? null);
      const all = [...possible.filter(fits), ...possible.filter((one) => !fits(one))];
      const best = possible.some(fits) ? possible.filter(fits) : possible;
      next = best.map(([one]) => one?.from?.id ?? null);
      return all;
    })
    .reverse();
  const ordered: Change[] = [];
  for (const [i, group] of groups.entries()) {
    const before = ordered.at(-1);
    const joins = (chain: readonly Change[]) => chain[0]?.from?.id === before?.to?.id;
    const possible = chains[i] ?? [];
    const joined = before === undefined ? undefined : possible.find(joins);
    ordered.push(...(joined ?? possible[0] ?? group));
  }
  return ordered;
}

function chained(left: readonly Change[], value: FieldValue | null): Change[] | null {
  if (left.length === 0) return [];
  for (const next of left) {
    if ((next.from?.id ?? null) !== (value?.id ?? null)) continue;
    const rest = chained(
      left.filter((one) => one !== next),
      next.to,
    );
    if (rest !== null) return [next, ...rest];
  }
  return null;
}

/** What a field held at an instant. What the tracker shows last it shows, whatever a history lacks. */
export function contentThen(
  issue: Issue,
  field: string,
  now: number,
): FieldContent | undefined | typeof UNSURE {
  const today = issue.fields[field];
  if (now >= issue.updated) return today;
  const last = staysOf(issue, field, now).at(-1);
  if (!issue.history.complete && last?.known === false) return UNSURE;
  if (today === undefined && changesIn(issue, field).length === 0) return undefined;
  const value = last?.value ?? null;
  return Array.isArray(today) && value !== null && value.id === oneValue(today)?.id ? today : value;
}

/** When changes may be lost, up to an instant; null where none can be. */
export function lostUpTo(issue: Issue, now: number): readonly [from: number, until: number] | null {
  const { history, created } = issue;
  if (history.complete) return null;
  const from = Math.max(history.unknownFrom ?? created, created);
  const until = Math.min(history.unknownUntil ?? now + 1, now + 1);
  return from < until ? [from, until] : null;
}

/** When an issue had last been updated. */
export function updatedThen(issue: Issue, now: number): number | typeof UNSURE {
  const own = issue.fields.updated;
  const shown = typeof own === 'number' ? own : issue.updated;
  if (shown <= now) return shown;
  const last = Math.max(issue.created, ...issue.changes.map(({ at }) => at).filter((at) => at <= now));
  return (lostUpTo(issue, now)?.[1] ?? 0) > last + 1 ? UNSURE : last;
}

/** When an issue had been resolved; null where it was not. */
export function resolvedThen(issue: Issue, now: number): number | null | typeof UNSURE {
  const shown = issue.resolved !== null && issue.resolved <= now ? issue.resolved : null;
  if (now >= issue.updated || changesIn(issue, 'resolution').length === 0) return shown;
  let since: number | null | typeof UNSURE = null;
  for (const { known, value, start } of staysOf(issue, 'resolution', now)) {
    if (!known) since = UNSURE;
    else if (value === null) since = null;
    else if (since === null) since = start;
  }
  return since === UNSURE && shown !== null ? shown : since;
}

/** Between which instants an issue was finished, or perhaps never. */
export interface UnsureFinish {
  readonly from: number;
  readonly until: number;
  readonly mayBeEmpty: boolean;
}

/** When an issue had last left a status that is not done; null: it was not finished, or created as done. */
export function finishedThen(
  issue: Issue,
  now: number,
  categoryOf: (id: string) => StatusCategory,
): number | null | UnsureFinish {
  const { created } = issue;
  const stays = staysOf(issue, 'status', now);
  const here = now >= issue.updated && issue.fields.status !== undefined;
  const shown = here ? oneValue(issue.fields.status) : (stays.at(-1)?.value ?? null);
  const category = shown === null ? 'Undefined' : categoryOf(shown.id);
  if (category === 'Undefined') return { from: created, until: now, mayBeEmpty: true };
  if (category !== 'Done') return null;
  const gap = stays.find(({ known }) => !known);
  const exits = stays.flatMap(({ value, known, end }, i) => {
    const next = stays[i + 1];
    if (next === undefined || (known && !next.known)) return [];
    const left = known ? value : (next.cameFrom ?? null);
    return left === null ? [] : [{ at: end, category: categoryOf(left.id) }];
  });
  const work = (some: typeof exits) => some.filter((exit) => exit.category !== 'Done').map(({ at }) => at);
  const before = gap === undefined ? null : (stays[stays.indexOf(gap) - 1]?.value ?? null);
  const wasDone = before !== null && categoryOf(before.id) === 'Done';
  const upTo = work(exits.filter(({ at }) => gap === undefined || at <= gap.start));
  const from = gap === undefined || !wasDone ? (gap?.start ?? created) : Math.max(created, ...upTo);
  const unsure = (since: number, until: number) => ({
    ...{ from: since, until, mayBeEmpty: gap !== undefined && since <= created },
  });
  if (stays.at(-1)?.value?.id !== shown?.id) return unsure(from, now);
  const isOpen = gap !== undefined && gap === stays.at(-1);
  const after = exits.filter(({ at }) => gap === undefined || (gap.end <= at && !isOpen));
  const last = Math.max(...work(after));
  if (last === Number.NEGATIVE_INFINITY) return gap === undefined ? null : unsure(from, gap.end);
  const sure = Math.max(...work(after.filter((exit) => exit.category !== 'Undefined')));
  if (sure === last) return last;
  return { from: sure === Number.NEGATIVE_INFINITY ? created : sure, until: last, mayBeEmpty: false };
}

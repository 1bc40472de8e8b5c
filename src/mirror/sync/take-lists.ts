import { millisecondsInHour, millisecondsInMinute } from 'date-fns/constants';
import { isDue } from '../../concurrency/clock-check.ts';
import { AppError } from '../../model/error.ts';
import type { ListsSliceRecord } from '../../store/tracker-documents.ts';
import type { ListsPlace } from '../../trackers/live-tracker.ts';
import type { TrackerEntry } from '../../trackers/tracker.ts';
import { joinDirectory, joinGroups } from '../lists/tracker-lists.ts';
import { useFieldIds } from '../use-field-ids.ts';
import { costlyInterval, problemText, type SyncState } from './sync-state.ts';
import { putUsers } from './take-issues.ts';
import type { SyncWork } from './work.ts';

/** The pause (ms) after a list could not be taken; after each further failure it is twice as long. */
const FIRST_PAUSE_MS = 60_000;

const kinds = ['sprints', 'filters', 'groups', 'fields', 'priorities', 'versions'] as const;
type Kind = (typeof kinds)[number];

/** The names of all lists that a tracker may refuse one by one. */
const listNames: readonly string[] = [...kinds, 'statuses', 'people'];

/** The age (ms) up to which a place in lists is good: lists that change meanwhile are read with gaps. */
const PLACE_LASTS_MS = millisecondsInHour;

/**
 * Takes the tracker's lists in slices, with `pause` between them; where this is cut off, the next turn goes on after the last
 * slice. The stored lists stay as they are until all slices are there. A whole list replaces the stored one; one that came in
 * part only adds to it; one that was refused leaves it as it was, as do all that were still to come when the tracker failed to
 * show any. People stay known for good: issues go on mentioning them. Returns that failure or null, and throws only where Dwell
 * is denied access.
 */
export async function takeLists(work: SyncWork, pause: () => Promise<void>): Promise<AppError | null> {
  const { issues: store, titles } = work;
  const failure = await receive(work, pause);
  const slices = await work.store.listsSlices();
  const parts = slices.flatMap((slice) => slice.parts);
  const memberships = slices.flatMap((slice) => slice.memberships);
  const statuses = new Map(slices.flatMap((slice) => slice.statuses.map((one) => [one.id, one] as const)));
  const refused = joinRefusals([
    ...slices.flatMap((slice) => slice.refused),
    ...(failure === null ? [] : [{ source: 'lists', reason: problemText(failure) }]),
  ]);
  const directory = joinDirectory(parts);
  const isReported = (kind: Kind) => parts.some((part) => part[kind] !== undefined);
  // A source of an unknown name may be a part of any list.
  const isWhole = (name: string) =>
    refused.every(({ source }) => source !== name && listNames.includes(source));
  titles.note(directory.fields);
  // Issues come first: the names are stored only when no issue is left with changes under a title.
  if (titles.isNew()) await useFieldIds(store, titles, () => work.request(work.checkpoint));
  if (statuses.size > 0) {
    await store.putStatuses([...statuses.values()], isWhole('statuses') ? work.state().site : null);
  }
  const earlierGroups = isReported('groups') && isWhole('groups') ? [] : (await store.directory()).groups;
  const lists = { ...directory, groups: joinGroups(earlierGroups, directory.groups, memberships) };
  const named = kinds.filter((kind) => isReported(kind) || (kind === 'groups' && memberships.length > 0));
  for (const others of ['go', 'stay'] as const) {
    const some = named.filter((kind) => isWhole(kind) === (others === 'go'));
    await store.replaceDirectory(Object.fromEntries(some.map((kind) => [kind, lists[kind]])), others);
  }
  const now = work.now();
  const costlyMs = costlyInterval(work.state().lists?.sent ?? 0);
  const listsFailures = refused.length === 0 ? 0 : work.state().listsFailures + 1;
  const pauseMs = Math.min(millisecondsInHour, FIRST_PAUSE_MS * 2 ** (listsFailures - 1));
  await work.keep({
    lists: null,
    listsTriedAt: now,
    listsFailures,
    refused,
    listsEveryMs: listsFailures === 0 || costlyMs > millisecondsInHour ? costlyMs : pauseMs,
    ...(failure === null ? { listsAt: now } : {}),
  });
  await work.store.clearListsSlices();
  return failure;
}

/**
 * Reads the lists into stored slices, from the stored place on; the result is null, or the error that kept the tracker from
 * showing all of them.
 */
async function receive(work: SyncWork, pause: () => Promise<void>): Promise<AppError | null> {
  const { tracker, store, request, keep } = work;
  const age = work.now() - (work.state().lists?.startedAt ?? Number.NEGATIVE_INFINITY);
  if (age < 0 || age > PLACE_LASTS_MS) {
    await store.clearListsSlices();
    await keep({ lists: { place: null, startedAt: work.now(), slices: 0, sent: 0 } });
  }
  /** Entries after the stored place. */
  let pending: TrackerEntry[] = [];
  let sent = 0;
  /** Stores these, and with them the place after them (null: it stays, and they may be read twice). */
  const storePending = async (place: ListsPlace | null) => {
    const { lists } = work.state();
    if (lists === null) return;
    if (pending.length > 0) await store.putListsSlice(lists.slices, recordOf(pending));
    const slices = lists.slices + Number(pending.length > 0);
    const next = { place: place ?? lists.place, startedAt: lists.startedAt, slices };
    await keep({ lists: { ...next, sent: lists.sent + sent } });
    pending = [];
    sent = 0;
  };
  const slices = tracker.lists(work.state().lists?.place ?? null)[Symbol.asyncIterator]();
  for (;;) {
    const before = tracker.connection.requests().sent;
    const slice = await orFailure(request(() => slices.next()));
    sent += tracker.connection.requests().sent - before;
    if (slice instanceof AppError || slice.done) {
      await storePending(null);
      return slice instanceof AppError ? slice : null;
    }
    const { entries, place } = slice.value;
    for (const entry of entries) {
      if (entry.kind === 'users') await putUsers(work, entry.users);
      else pending.push(entry);
    }
    if (place !== null) await storePending(place);
    await pause();
  }
}

/** The codes of errors after which nothing else can be read either. */
const deniedCodes: ReadonlySet<string> = new Set(['not-allowed', 'not-authenticated']);

/** The answer, or the failure of the tracker, which holds up nothing else. Throws where Dwell is denied access. */
async function orFailure<Answer>(answer: Promise<Answer>): Promise<Answer | AppError> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof AppError) || deniedCodes.has(error.code)) throw error;
    return error;
  }
}

function recordOf(entries: readonly TrackerEntry[]): ListsSliceRecord {
  return {
    parts: entries.flatMap((entry) => (entry.kind === 'directory' ? [entry.part] : [])),
    memberships: entries.flatMap((entry) => (entry.kind === 'membership' ? [entry.membership] : [])),
    statuses: entries.flatMap((entry) => (entry.kind === 'statuses' ? entry.statuses : [])),
    refused: entries.flatMap((entry) =>
      entry.kind === 'unreadable' ? [{ source: entry.source, reason: entry.reason }] : [],
    ),
  };
}

/** The refusals of each list as one. */
function joinRefusals(all: SyncState['refused']): SyncState['refused'] {
  return [...Map.groupBy(all, ({ source }) => source)].map(([source, refusals]) => {
    const [first] = refusals;
    const more = refusals.length > 1 ? ` (and ${refusals.length - 1} more like it)` : '';
    return { source, reason: `${first?.reason}${more}` };
  });
}

/** The number of projects that are read before others get their turn. */
const PROJECTS_AT_ONCE = 20;

/** The shortest and the longest pause (ms) between two passes; with more requests in a pass it is longer. */
const EVERY_MS = [10 * millisecondsInMinute, 40 * millisecondsInMinute] as const;
const REQUESTS_PER_HOUR = 6000;

/** The number of pauses for which an answer is good: the next pass has time to read it again. */
const GOOD_FOR_PAUSES = 1.5;

/** Returns true where a pass through who can browse projects is due, or under way. */
export function isAccessDue({ state, now }: SyncWork): boolean {
  const { access, accessAt, accessEveryMs } = state();
  return access !== null || isDue(now(), accessAt, accessEveryMs ?? EVERY_MS[0]);
}

/**
 * Stores who can browse each project that has issues, in slices, with `pause` between them. Where this is cut off, the
 * next turn goes on after the last slice, as it does where the tracker fails: then the result is false.
 */
export async function takeAccess(work: SyncWork, pause: () => Promise<void>): Promise<boolean> {
  const { tracker, store, request, keep, now, state } = work;
  let pass = state().access ?? { after: null, startedAt: now(), sent: 0 };
  for (;;) {
    const projects = await store.projectsAfter(pass.after, PROJECTS_AT_ONCE);
    const last = projects.at(-1);
    if (last === undefined) break;
    const at = now();
    const before = tracker.connection.requests().sent;
    const some = await orFailure(request(async () => (await tracker.projectAccess?.(projects)) ?? []));
    if (some instanceof AppError) return false;
    const goodMs = GOOD_FOR_PAUSES * (state().accessEveryMs ?? EVERY_MS[1]);
    await store.putProjectAccess(some, { at, until: at + goodMs });
    const sent = pass.sent + tracker.connection.requests().sent - before;
    pass = { after: last, startedAt: pass.startedAt, sent };
    await keep({ access: pass });
    await pause();
  }
  // The others have no issues any more, or the tracker does not show who can browse them.
  await store.clearProjectAccess(pass.startedAt);
  const accessEveryMs = costlyInterval(pass.sent, EVERY_MS, REQUESTS_PER_HOUR);
  await keep({ access: null, accessAt: pass.startedAt, accessEveryMs });
  return true;
}

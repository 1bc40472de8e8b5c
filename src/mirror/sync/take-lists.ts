import { millisecondsInHour } from 'date-fns/constants';
import type { Directory } from '../../model/directory.ts';
import { AppError } from '../../model/error.ts';
import type { Status } from '../../model/issue.ts';
import type { Membership } from '../../trackers/tracker.ts';
import { joinDirectory, joinGroups } from '../lists/directory-lists.ts';
import { useFieldIds } from '../use-field-ids.ts';
import { costlyInterval, problemText, type SyncState } from './sync-state.ts';
import { putUsers } from './take-issues.ts';
import type { Work } from './work.ts';

/** The pause (ms) after a list could not be taken; after each further failure it is twice as long. */
const FIRST_PAUSE_MS = 60_000;

const kinds = ['sprints', 'filters', 'groups', 'fields', 'priorities', 'versions'] as const;
type Kind = (typeof kinds)[number];

/** The names of all lists that a tracker may refuse one by one. */
const listNames: readonly string[] = [...kinds, 'statuses', 'people'];

/** The codes of errors after which no other list can be read either. */
const deniedCodes: ReadonlySet<string> = new Set(['not-allowed', 'not-authenticated']);

/** The entries of a tracker's lists. */
interface Received {
  readonly parts: Partial<Directory>[];
  readonly memberships: Membership[];
  readonly statuses: Map<string, Status>;
  readonly refused: SyncState['refused'];
}

/**
 * Takes the tracker's lists. A whole list replaces the stored one; one that came in part only adds to it; one that was
 * refused leaves it as it was, as do all that were still to come when the tracker failed to show any. People stay known
 * for good: issues go on mentioning them. Returns that failure or null, and throws only where Dwell is denied access.
 */
export async function takeLists(work: Work): Promise<AppError | null> {
  const { issues: store, titles } = work;
  const before = work.tracker.connection.requests().sent;
  const received: Received = { parts: [], memberships: [], statuses: new Map(), refused: [] };
  const failure = await receive(work, received);
  const { parts, memberships, refused } = received;
  const directory = joinDirectory(parts);
  const isReported = (kind: Kind) => parts.some((part) => part[kind] !== undefined);
  // A source of an unknown name may be a part of any list.
  const isWhole = (name: string) =>
    refused.every(({ source }) => source !== name && listNames.includes(source));
  titles.note(directory.fields);
  // Issues come first: the names are stored only when no issue is left with changes under a title.
  if (titles.isNew()) await useFieldIds(store, titles, () => work.request(work.checkpoint));
  const statuses = [...received.statuses.values()];
  if (statuses.length > 0) {
    await store.putStatuses(statuses, isWhole('statuses') ? work.state().site : null);
  }
  const earlierGroups = isReported('groups') && isWhole('groups') ? [] : (await store.directory()).groups;
  const lists = { ...directory, groups: joinGroups(earlierGroups, directory.groups, memberships) };
  const named = kinds.filter((kind) => isReported(kind) || (kind === 'groups' && memberships.length > 0));
  for (const others of ['go', 'stay'] as const) {
    const some = named.filter((kind) => isWhole(kind) === (others === 'go'));
    await store.replaceDirectory(Object.fromEntries(some.map((kind) => [kind, lists[kind]])), others);
  }
  const now = work.now();
  const costlyMs = costlyInterval(work.tracker.connection.requests().sent - before);
  const listsFailures = refused.length === 0 ? 0 : work.state().listsFailures + 1;
  const pauseMs = Math.min(millisecondsInHour, FIRST_PAUSE_MS * 2 ** (listsFailures - 1));
  await work.keep({
    listsTriedAt: now,
    listsFailures,
    refused,
    listsEveryMs: listsFailures === 0 || costlyMs > millisecondsInHour ? costlyMs : pauseMs,
    ...(failure === null ? { listsAt: now } : {}),
  });
  return failure;
}

/** Reads the lists; the result is null, or the error that kept the tracker from showing all of them. */
async function receive(
  work: Work,
  { parts, memberships, statuses, refused }: Received,
): Promise<AppError | null> {
  const entries = work.tracker.lists()[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value: entry } = await work.request(() => entries.next());
      if (done) return null;
      if (entry.kind === 'users') await putUsers(work, entry.users);
      if (entry.kind === 'statuses') for (const status of entry.statuses) statuses.set(status.id, status);
      if (entry.kind === 'unreadable') refused.push({ source: entry.source, reason: entry.reason });
      if (entry.kind === 'membership') memberships.push(entry.membership);
      if (entry.kind === 'directory') parts.push(entry.part);
    }
  } catch (error) {
    if (!(error instanceof AppError) || deniedCodes.has(error.code)) throw error;
    refused.push({ source: 'lists', reason: problemText(error) });
    return error;
  }
}

import { millisecondsInHour } from 'date-fns/constants';
import type { Directory } from '../../model/directory.ts';
import { AppError } from '../../model/error.ts';
import type { Status, User } from '../../model/issue.ts';
import type { Membership, TrackerEntry } from '../../trackers/tracker.ts';
import { directoryOf, joinGroups } from '../fill.ts';
import { useFieldIds } from '../use-field-ids.ts';
import { costlyInterval, problemText, type SyncState } from './sync-state.ts';
import type { Work } from './work.ts';

const kinds = ['sprints', 'filters', 'groups', 'fields', 'priorities', 'versions'] as const;
/** So long (ms) after some list could not be taken they are asked for again; longer each time. */
const FIRST_PAUSE_MS = 60_000;

type Kind = (typeof kinds)[number];

/** Lists of other things, which say nothing of those. */
const others: readonly string[] = ['statuses', 'people'];

/** Then nothing else can be asked either. */
const notLetIn: ReadonlySet<string> = new Set(['not-allowed', 'not-authenticated']);

/** What the lists of a tracker had. */
interface Received {
  readonly parts: Partial<Directory>[];
  readonly memberships: Membership[];
  readonly statuses: Map<string, Status>;
  readonly refused: SyncState['refused'];
}

/**
 * Takes the tracker's lists. A list that came whole takes the place of what was kept of it; one that came in part only
 * adds to it; one that was refused stays as it was, as do all that were still to come when Jira failed to show any. People
 * stay known for good: issues go on mentioning them. Fails only where we are not let in.
 */
export async function takeLists(work: Work): Promise<AppError | null> {
  const { issues: store, titles } = work;
  const before = work.tracker.connection.requests().sent;
  const received: Received = {
    parts: [],
    memberships: [],
    statuses: new Map(),
    refused: [],
  };
  const failure = await takeTold(work, received);
  const directory = directoryOf(received.parts);
  const isReported = (kind: Kind) => received.parts.some((part) => part[kind] !== undefined);
  titles.note(directory.fields);
  // Issues first: the names are kept only when no issue is left with changes under a title.
  if (titles.isNew()) await useFieldIds(store, titles, () => work.request(work.checkpoint));
  const isWhole = (name: string) => !received.refused.some(({ source }) => touches(source, name));
  const statuses = [...received.statuses.values()];
  if (statuses.length > 0) {
    await store.putStatuses(statuses, isWhole('statuses') ? work.state().site : null);
  }
  const stored = await store.directory();
  const keptGroups = isReported('groups') && isWhole('groups') ? [] : stored.groups;
  const lists = { ...directory, groups: joinGroups(keptGroups, directory.groups, received.memberships) };
  const named = kinds.filter(
    (kind) => isReported(kind) || (kind === 'groups' && received.memberships.length > 0),
  );
  await store.replaceDirectory(pick(lists, named.filter(isWhole)), 'go');
  await store.replaceDirectory(
    pick(
      lists,
      named.filter((kind) => !isWhole(kind)),
    ),
    'stay',
  );
  const now = work.now();
  const costlyMs = costlyInterval(work.tracker.connection.requests().sent - before);
  const listsFailures = received.refused.length === 0 ? 0 : work.state().listsFailures + 1;
  const pauseMs = Math.min(millisecondsInHour, FIRST_PAUSE_MS * 2 ** (listsFailures - 1));
  await work.keep({
    listsTriedAt: now,
    listsFailures,
    refused: received.refused,
    listsEveryMs: listsFailures === 0 || costlyMs > millisecondsInHour ? costlyMs : pauseMs,
    ...(failure === null ? { listsAt: now } : {}),
  });
  return failure;
}

/** Null, or what kept the tracker from telling all of them. */
async function takeTold(work: Work, received: Received): Promise<AppError | null> {
  const entries = work.tracker.lists()[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await work.request(() => entries.next());
      if (done) return null;
      if (value.kind === 'users') await putListed(work, value.users);
      else note(value, received);
    }
  } catch (error) {
    if (!(error instanceof AppError) || notLetIn.has(error.code)) throw error;
    received.refused.push({ source: 'lists', reason: problemText(error) });
    return error;
  }
}

async function putListed({ issues: store }: Work, users: readonly User[]): Promise<void> {
  const stored = await store.users(users.map(({ id }) => id));
  const news = users.filter((user) => JSON.stringify(user) !== JSON.stringify(stored.get(user.id)));
  if (news.length > 0) await store.putUsers(news);
}

function note(entry: TrackerEntry, received: Received): void {
  if (entry.kind === 'statuses')
    for (const status of entry.statuses) received.statuses.set(status.id, status);
  if (entry.kind === 'unreadable') received.refused.push({ source: entry.source, reason: entry.reason });
  if (entry.kind === 'membership') {
    received.memberships.push(entry.membership);
  }
  if (entry.kind === 'directory') received.parts.push(entry.part);
}

/** A source of a name nobody knows may be a part of any list. */
function touches(source: string, list: string): boolean {
  const known = [...kinds, ...others].find((name) => source === name);
  return known === undefined || known === list;
}

function pick(directory: Directory, names: readonly Kind[]): Partial<Pick<Directory, Kind>> {
  return Object.fromEntries(names.map((name) => [name, directory[name]]));
}

import { createHash } from 'node:crypto';
import { millisecondsInDay } from 'date-fns/constants';
import type { Backing } from '../../cache/backing.ts';
import { memo } from '../../cache/memo.ts';
import { createNamespace } from '../../cache/namespace.ts';
import { badRequest } from '../../model/error.ts';
import type { Instant, Issue } from '../../model/issue.ts';
import type { ReportRequest } from '../../model/request.ts';
import type { CalendarDefinition } from '../../model/settings.ts';
import type { PageFacts } from '../../model/table.ts';
import type { CreditedStandIns } from '../delegation.ts';

/** How long a question's pages can be fetched, and how many questions of one asker at a time. */
const KEPT_FOR_MS = millisecondsInDay;
const MOST_LISTS = 50;

/** Longer than they can be fetched, so that it can be said that they could. */
const STORED_FOR_MS = 3 * KEPT_FOR_MS;

/** Of so many askers the namespaces are at hand. */
const MOST_OWNERS = 1_000;

/** The issues a question selected, in order, so that all its pages speak of the same ones. */
export interface PageList {
  readonly id: string;
  /** Whose question it is. */
  readonly owner: string;
  /** What the question was: two equal questions have equal texts. */
  readonly question: string;
  readonly keys: readonly string[];
  readonly undecided: number;
  readonly asOf: Instant;
  readonly createdAt: Instant;
}

/** The lists that pages are cut from. */
export interface PageLists {
  put(list: PageList): Promise<void>;
  /** Undefined as well where it is somebody else's. */
  get(owner: string, id: string): Promise<PageList | undefined>;
  /** The newest list of an owner's question. */
  newest(owner: string, question: string): Promise<PageList | undefined>;
}

/** Lists by owner: nobody's questions crowd out another's. */
export function createPageLists({
  stored,
  now,
}: {
  readonly stored: Backing;
  readonly now: () => Instant;
}): PageLists {
  const bounds = {
    ttlMs: STORED_FOR_MS,
    most: MOST_LISTS,
    now,
    backing: stored,
    fromFuture: 'good',
  } as const;
  // A user's name may hold what ends a namespace's.
  const nameOf = (owner: string) => Buffer.from(owner).toString('hex').toUpperCase();
  const of = memo(
    (owner: string) => ({
      lists: createNamespace<PageList>({ name: `pages/${nameOf(owner)}`, ...bounds }),
      newest: createNamespace<string>({ name: `newest-pages/${nameOf(owner)}`, ...bounds }),
    }),
    MOST_OWNERS,
  );
  return {
    async put(list) {
      const { lists, newest } = of(list.owner);
      await lists.set(list.id, list);
      await newest.set(list.question, list.id);
    },
    get: (owner, id) => of(owner).lists.get(id),
    async newest(owner, question) {
      const { lists, newest } = of(owner);
      const id = await newest.get(question);
      return id === undefined ? undefined : lists.get(id);
    },
  };
}

/** What a whole question selected: keys in order, as of an instant, and how many issues nobody can decide about. */
export interface SelectedKeys {
  readonly keys: readonly string[];
  /** All of them, where they need not be found by their keys. */
  readonly issues?: readonly Issue[];
  readonly undecided: number;
  readonly asOf: Instant;
}

/** One page of it. */
export interface TakenPage extends SelectedKeys {
  /** The keys of all pages. */
  readonly all: readonly string[];
  readonly facts: PageFacts | null;
}

/** What taking a page needs. */
interface PageParts {
  readonly pages: PageLists;
  readonly newId: () => string;
  readonly now: Instant;
  /** The calendar as it is defined now: a changed one makes another question. */
  readonly calendar: CalendarDefinition;
  /** Who stood in as it is known now, likewise; null where nobody is credited. */
  readonly credited: CreditedStandIns | null;
}

/**
 * The asked-for page of a question. The first page keeps the list of all selected issues, and every later page is
 * taken from that list and speaks of the same instant: whatever changes meanwhile, no issue is lost and none comes
 * twice. A page by index is taken from the list of whoever asked that question last; two runs of one asker at the
 * same time need tokens. `select` is called only when there is no list yet.
 */
export async function takePage(
  request: ReportRequest,
  select: () => Promise<SelectedKeys>,
  parts: PageParts,
): Promise<TakenPage> {
  const { page } = request;
  if (page === null) {
    const selected = await select();
    return { ...selected, all: selected.keys, facts: null };
  }
  if (page.by === 'index') {
    // The instant of the list is not known before it is found.
    const question = questionOf(request, parts, request.asOf);
    const kept = page.start === 0 ? null : await latest(request, question, parts);
    const list = kept ?? (await select());
    if (kept === null && list.keys.length > page.size) await keep(request, question, list, parts);
    return cut(list, page.start, page.size, null);
  }
  if (page.token !== null) {
    const { list, start } = await byToken(page.token, request, parts);
    return cut(list, start, page.size, list.id);
  }
  const list = await select();
  const question = questionOf(request, parts, list.asOf);
  const id = list.keys.length > page.size ? await keep(request, question, list, parts) : null;
  return cut(list, 0, page.size, id);
}

function cut(
  { keys, undecided, asOf }: SelectedKeys,
  start: number,
  size: number,
  id: string | null,
): TakenPage {
  const end = Math.min(keys.length, start + size);
  const next = id !== null && end < keys.length ? tokenText(id, end) : null;
  const facts = { start, end: Math.max(start, end), size, total: keys.length, next };
  return { keys: keys.slice(start, end), all: keys, undecided, asOf, facts };
}

async function keep(
  { asker }: ReportRequest,
  question: string,
  { keys, undecided, asOf }: SelectedKeys,
  { pages, newId, now }: PageParts,
): Promise<string> {
  const list: PageList = { id: newId(), owner: asker.user, question, keys, undecided, asOf, createdAt: now };
  await pages.put(list);
  return list.id;
}

async function latest(
  { asker }: ReportRequest,
  question: string,
  { pages, now }: PageParts,
): Promise<PageList | null> {
  const list = await pages.newest(asker.user, question);
  return list === undefined || list.createdAt < now - KEPT_FOR_MS ? null : list;
}

async function byToken(
  token: string,
  request: ReportRequest,
  parts: PageParts,
): Promise<{ list: PageList; start: number }> {
  const { pages, now, credited } = parts;
  const [, id = '', at = ''] = /^([\w-]+)\.(\d{1,9})$/.exec(Buffer.from(token, 'base64url').toString()) ?? [];
  const list = id === '' ? undefined : await pages.get(request.asker.user, id);
  const start = Number(at);
  // Somebody else's token reads like one that never was.
  if (list === undefined || start >= list.keys.length) {
    throw badRequest(
      `nextPageToken '${token}' is not known, or not any more; allowed: the one the page before gave, for a day.`,
    );
  }
  if (list.createdAt < now - KEPT_FOR_MS) {
    throw badRequest(`nextPageToken '${token}' has expired; allowed: one of the last 24 hours.`);
  }
  if (list.question !== questionOf(request, parts, list.asOf)) {
    const same = credited === null ? ' and the calendar' : ', the calendar and the delegations';
    throw badRequest(
      `nextPageToken '${token}' belongs to another question; allowed: the parameters${same} of the page before, unchanged.`,
    );
  }
  return { list, start };
}

function tokenText(id: string, start: number): string {
  return Buffer.from(`${id}.${start}`).toString('base64url');
}

/**
 * Equal for equal questions, whatever page is asked for; who stood in counts up to an instant (null: ever). A question
 * that credits nobody reads as if nobody could be credited, and one on the asker's clocks as if there were no others, so
 * that tokens outlive these choices.
 */
function questionOf(
  { page: _, creditDelegates, timeZone, ...question }: ReportRequest,
  { calendar, credited }: PageParts,
  until: Instant | null,
): string {
  const crediting = credited === null ? [] : [creditDelegates, credited.revision(until)];
  return createHash('sha256')
    .update(JSON.stringify([question, calendar, ...crediting, ...(timeZone === null ? [] : [{ timeZone }])]))
    .digest('base64url');
}

import { createHash } from 'node:crypto';
import { millisecondsInDay } from 'date-fns/constants';
import type { Backing } from '../../cache/backing.ts';
import { memo } from '../../cache/memo.ts';
import { createNamespace } from '../../cache/namespace.ts';
import { detached } from '../../concurrency/cooperative-yield.ts';
import type { IssueTable } from '../../mirror/issue-table.ts';
import { about, badRequest, badRequestAs } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import type { ReportRequest } from '../../model/request.ts';
import type { CalendarDefinition } from '../../model/settings.ts';
import type { PageFacts } from '../../model/table.ts';
import type { CreditedDelegates } from '../delegations/delegation-api.ts';
import { type ChosenIssues, inRows } from './chosen-issues.ts';
import type { SeenIssues } from './seen-issues.ts';

/** How long a question's pages can be fetched, and how many questions of one principal at a time. */
const KEPT_FOR_MS = millisecondsInDay;
const MOST_LISTS = 50;

/** Only of so many pages, those furthest on, it is kept where they ended: each page writes them again. */
const MOST_LAST_KEYS = 20;

/** Longer than they can be fetched, so that it can be said that they could. */
const STORED_FOR_MS = 3 * KEPT_FOR_MS;

/** Of so many principals the namespaces are at hand. */
const MOST_OWNERS = 1_000;

/** Rows of all who ask are held in so many bytes; for others the question is asked again. */
const MOST_ROW_BYTES = 2 ** 25;

/** A question whose pages are being fetched: all of them speak of the same instant, and go on where the last one ended. */
export interface PageList {
  readonly id: string;
  /** Whose question it is. */
  readonly owner: string;
  /** What the question was: two equal questions have equal texts. */
  readonly question: string;
  /** How many issues were selected. */
  readonly count: number;
  readonly undecided: number;
  readonly asOf: Instant;
  readonly createdAt: Instant;
  /** The keys of the last issues of pages that were given out, by where these ended; absent in lists of Dwell 0.6. */
  readonly lastKeys?: Readonly<Record<string, string>>;
}

/** The issues of a list, in order, as rows of a table. The list's first one is at `from`. */
interface HeldRows {
  readonly table: IssueTable;
  readonly rows: Promise<Uint32Array>;
  readonly count: number;
  readonly from: number;
}

/** The lists that pages are cut from. */
export interface PageLists {
  put(list: PageList): Promise<void>;
  /** The same list with more that is known of it; it grows no younger. */
  replace(list: PageList): Promise<void>;
  /** Rows of a list, which nobody but this process can use, and only for a while. */
  hold(id: string, held: HeldRows): void;
  held(id: string): HeldRows | undefined;
  /** Undefined as well where it is somebody else's. */
  get(owner: string, id: string): Promise<PageList | undefined>;
  /** The newest list of an owner's question. */
  newest(owner: string, question: string): Promise<PageList | undefined>;
}

function bytesOf(held: HeldRows | undefined): number {
  return (held?.count ?? 0) * Uint32Array.BYTES_PER_ELEMENT;
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
    // Who only reads waits for no other process's import.
    defersWrites: true,
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
  const held = new Map<string, HeldRows>();
  let bytes = 0;
  const drop = (id: string) => {
    bytes -= bytesOf(held.get(id));
    held.delete(id);
  };
  return {
    replace: (list) => of(list.owner).lists.replace(list.id, list),
    hold(id, rows) {
      drop(id);
      held.set(id, rows);
      rows.rows.catch(() => drop(id));
      // Columns that others have replaced are let go.
      for (const [other, { table }] of held) if (table !== rows.table) drop(other);
      bytes += bytesOf(rows);
      for (const oldest of held.keys()) {
        if (bytes <= MOST_ROW_BYTES) break;
        drop(oldest);
      }
    },
    held(id) {
      const rows = held.get(id);
      if (rows === undefined) return;
      // Who was asked for last goes last.
      held.delete(id);
      held.set(id, rows);
      return rows;
    },
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

/** What a whole question selected, as of an instant. */
interface SelectedIssues {
  readonly chosen: ChosenIssues;
  readonly asOf: Instant;
}

/** One page of it. */
export interface TakenPage extends SelectedIssues {
  /** The issues of all pages. */
  readonly all: ChosenIssues;
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
  readonly credited: CreditedDelegates | null;
  /** All issues the principal may see, where those of the question are among them. */
  readonly seen: SeenIssues | null;
  /** Selects the issues, as of an instant; only the `first` of them need be in order. */
  readonly select: (asOf: Instant, first?: number) => Promise<ChosenIssues>;
}

/**
 * The issues of the page asked for. Pages by index share the newest list of a principal's question, so two runs of one
 * principal at the same time need tokens. Where the rows of a list are not at hand any more, as after a restart, the question
 * is asked again as of its instant, and the page begins behind the last issue that was given out.
 */
export async function takePage(request: ReportRequest, asOf: Instant, parts: PageParts): Promise<TakenPage> {
  const { page } = request;
  if (page === null) {
    const chosen = await parts.select(asOf);
    return { chosen, all: chosen, asOf, facts: null };
  }
  if (page.by === 'index') {
    // The instant of the list is not known before it is found.
    const question = questionOf(request, parts, request.asOf);
    const kept = page.start === 0 ? null : await latest(request, question, parts);
    if (kept !== null)
      return cut(await restored(kept, page.start, parts), page.start, page.size, null, parts);
    const chosen = await parts.select(asOf, page.start + page.size);
    const list = newList(request, question, { chosen, asOf }, parts);
    return cut({ list, all: chosen, from: 0, isNew: true }, page.start, page.size, null, parts);
  }
  if (page.token !== null) {
    const { list, start } = await byToken(page.token, request, parts);
    return cut(await restored(list, start, parts), start, page.size, list.id, parts);
  }
  const chosen = await parts.select(asOf, page.size);
  const list = newList(request, questionOf(request, parts, asOf), { chosen, asOf }, parts);
  return cut({ list, all: chosen, from: 0, isNew: true }, 0, page.size, list.id, parts);
}

/** A list with its issues: its first one is that at `from`, which is negative where issues before a page are gone. */
interface WholeList {
  readonly list: PageList;
  readonly all: ChosenIssues;
  readonly from: number;
  readonly isNew: boolean;
}

async function cut(
  { list, all, from, isNew }: WholeList,
  start: number,
  size: number,
  id: string | null,
  { pages }: PageParts,
): Promise<TakenPage> {
  const first = Math.max(from, -start);
  const total = all.count - first;
  const end = Math.max(start, Math.min(total, start + size));
  const chosen = all.part(start + first, end + first);
  const last = end > start && end < total ? all.keyAt(end + first - 1) : null;
  const known = list.lastKeys ?? {};
  const lastKeys =
    last === null || known[end] === last
      ? known
      : { ...Object.fromEntries(Object.entries(known).slice(-MOST_LAST_KEYS)), [end]: last };
  if (isNew && list.id !== '') await keep({ ...list, lastKeys }, all, pages);
  // A page that was given out before changes nothing.
  if (!isNew && lastKeys !== known) await pages.replace({ ...list, lastKeys });
  const next = id !== null && end < total ? tokenText(id, end) : null;
  return { chosen, all, asOf: list.asOf, facts: { start, end, size, total, next } };
}

/** A list of a page's question, which has an id if it is to be kept: if not all of its issues are on one page. */
function newList(
  { principal, page }: ReportRequest,
  question: string,
  { chosen: { count, undecided }, asOf }: SelectedIssues,
  { newId, now }: PageParts,
): PageList {
  const id = page !== null && count > page.size ? newId() : '';
  return { id, owner: principal.account, question, count, undecided, asOf, createdAt: now };
}

async function keep(list: PageList, { held, count }: ChosenIssues, pages: PageLists): Promise<void> {
  await pages.put(list);
  if (held === null) return;
  const rows = detached(() => held.whole());
  pages.hold(list.id, { table: held.seen.table, rows, count, from: 0 });
}

async function restored(list: PageList, start: number, parts: PageParts): Promise<WholeList> {
  const { pages, seen, select } = parts;
  const held = pages.held(list.id);
  if (held !== undefined && held.table === seen?.table) {
    return { list, all: inRows(await held.rows, seen, list.undecided), from: held.from, isNew: false };
  }
  const all = await select(list.asOf);
  const last = list.lastKeys?.[start];
  const at = last === undefined ? -1 : all.indexOf(last);
  const from = at < 0 ? 0 : at + 1 - start;
  if (all.held !== null) {
    const { rows, seen: among } = all.held;
    pages.hold(list.id, { table: among.table, rows: Promise.resolve(rows), count: all.count, from });
  }
  return { list, all, from, isNew: false };
}

async function latest(
  { principal }: ReportRequest,
  question: string,
  { pages, now }: PageParts,
): Promise<PageList | null> {
  const list = await pages.newest(principal.account, question);
  return list === undefined || list.createdAt < now - KEPT_FOR_MS ? null : list;
}

async function byToken(
  token: string,
  request: ReportRequest,
  parts: PageParts,
): Promise<{ list: PageList; start: number }> {
  const { pages, now, credited } = parts;
  const [, id = '', at = ''] = /^([\w-]+)\.(\d{1,9})$/.exec(Buffer.from(token, 'base64url').toString()) ?? [];
  const list = id === '' ? undefined : await pages.get(request.principal.account, id);
  const start = Number(at);
  // Somebody else's token reads like one that never was.
  if (list === undefined || start >= list.count) {
    throw badRequest(
      about(
        'nextPageToken',
        `'${token}' is not known, or not any more; allowed: the one the page before gave, for a day.`,
      ),
    );
  }
  if (list.createdAt < now - KEPT_FOR_MS) {
    throw badRequestAs(
      'expired-value',
      about('nextPageToken', `'${token}' has expired; allowed: one of the last 24 hours.`),
    );
  }
  if (list.question !== questionOf(request, parts, list.asOf)) {
    const same = credited === null ? ' and the calendar' : ', the calendar and the delegations';
    throw badRequest(
      about(
        'nextPageToken',
        `'${token}' belongs to another question; allowed: the parameters${same} of the page before, unchanged.`,
      ),
    );
  }
  return { list, start };
}

function tokenText(id: string, start: number): string {
  return Buffer.from(`${id}.${start}`).toString('base64url');
}

/**
 * Equal for equal questions, whatever page is asked for; who stood in counts up to an instant (null: ever). A question
 * that credits nobody reads as if nobody could be credited, and one on the principal's clocks as if there were no others, so
 * that tokens outlive these choices.
 */
function questionOf(
  { page: _, creditDelegates, timeZone, ...question }: ReportRequest,
  { calendar, credited }: PageParts,
  until: Instant | null,
): string {
  const { account: user, rights } = question.principal;
  // Spelled as in Dwell 0.6, whose lists go on after an upgrade.
  const asker = { user, admin: rights === 'admin', ...(rights === 'stranger' ? { isStranger: true } : {}) };
  const spelled = Object.fromEntries(
    Object.entries(question).map(([name, value]) =>
      name === 'principal' ? ['asker', asker] : [name, value],
    ),
  );
  const crediting = credited === null ? [] : [creditDelegates, credited.revision(until)];
  return createHash('sha256')
    .update(JSON.stringify([spelled, calendar, ...crediting, ...(timeZone === null ? [] : [{ timeZone }])]))
    .digest('base64url');
}

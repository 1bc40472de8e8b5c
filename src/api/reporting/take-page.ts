import { createHash } from 'node:crypto';
import { millisecondsInDay } from 'date-fns/constants';
import { type Backing, createNamespace, memo } from '../../cache/namespace.ts';
import { detached } from '../../concurrency/cooperative-yield.ts';
import type { IssueTable } from '../../mirror/issue-table.ts';
import { about, badRequestAs } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import type { Page, ReportRequest } from '../../model/request.ts';
import type { CalendarDefinition } from '../../model/settings.ts';
import type { PageFacts } from '../../model/table.ts';
import { inRows, type SelectedIssues } from '../../selection/selected-issues.ts';
import type { VisibleIssues } from '../../selection/visible-issues.ts';
import type { CreditedDelegates } from '../delegations/delegation-api.ts';

/** How long a question's pages can be fetched, and how many questions of one principal at a time. */
const GOOD_FOR_MS = millisecondsInDay;
const MOST_LISTS = 50;

/** Only of so many pages, those furthest on, it is stored where they ended: each page writes them again. */
const MOST_LAST_KEYS = 20;

/** Longer than they can be fetched, so that it can be said that they could. */
const STORED_FOR_MS = 3 * GOOD_FOR_MS;

/** Of so many principals the namespaces are at hand. */
const MOST_OWNERS = 1_000;

/** Rows of all lists are held in so many bytes; for others the question is asked again. */
const MOST_ROW_BYTES = 2 ** 25;

/** A question whose pages are being fetched: all of them are of the same instant, and go on where the last one ended. */
export interface PageList {
  readonly id: string;
  /** The account of the principal. */
  readonly owner: string;
  /** Equal for equal questions. */
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
  /** The same list with more that is known of it; its age stays. */
  replace(list: PageList): Promise<void>;
  /** Rows of a list, for this process alone, and only for a while. */
  hold(id: string, held: HeldRows): void;
  held(id: string): HeldRows | undefined;
  /** Undefined as well where it is somebody else's. */
  get(owner: string, id: string): Promise<PageList | undefined>;
  /** The newest list of an owner's question. */
  newest(owner: string, question: string): Promise<PageList | undefined>;
}

/** Lists by owner: one owner's questions do not crowd out another's. */
export function createPageLists(parts: { readonly stored: Backing; readonly now: () => Instant }): PageLists {
  const bounds = {
    ...{ ttlMs: STORED_FOR_MS, most: MOST_LISTS, now: parts.now, backing: parts.stored },
    fromFuture: 'good',
    // A principal who only reads does not wait for another process's import.
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
  const bytesOf = (rows?: HeldRows) => (rows?.count ?? 0) * Uint32Array.BYTES_PER_ELEMENT;
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
      // What was used last goes last.
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

/** One page of what a question selected, as of an instant. */
export interface TakenPage {
  readonly issues: SelectedIssues;
  readonly asOf: Instant;
  /** The issues of all pages. */
  readonly all: SelectedIssues;
  readonly facts: PageFacts | null;
}

/** What taking a page needs. */
interface PageParts {
  readonly pages: PageLists;
  readonly newId: () => string;
  readonly now: Instant;
  /** The calendar as it is defined now: a changed one makes another question. */
  readonly calendar: CalendarDefinition;
  /** Who covered for whom as it is known now, likewise; null where nobody is credited. */
  readonly credited: CreditedDelegates | null;
  /** All issues the principal can see, where those of the question are among them. */
  readonly visible: VisibleIssues | null;
  /** Selects the issues, as of an instant; only the `first` of them need be in order. */
  readonly select: (asOf: Instant, first?: number) => Promise<SelectedIssues>;
}

/**
 * The issues of the page asked for. Pages by index share the newest list of a principal's question, so two runs of one
 * principal at the same time need tokens. Where the rows of a list are not at hand any more, as after a restart, the question
 * is asked again as of its instant, and the page begins after the last issue that was given out.
 */
export async function takePage(
  request: ReportRequest,
  page: Page,
  asOf: Instant,
  parts: PageParts,
): Promise<TakenPage> {
  const { principal } = request;
  const { size } = page;
  const isByToken = page.by === 'token';
  if (isByToken && page.token !== null) {
    const { list, start } = await byToken(page.token, request, parts);
    return cut(await restored(list, start, parts), { start, size, isByToken }, parts);
  }
  const start = isByToken ? 0 : page.start;
  // The instant of a list by index is not known before it is found.
  const question = questionOf(request, parts, isByToken ? asOf : request.asOf);
  const known = start === 0 ? null : await latest(principal.account, question, parts);
  if (known !== null) return cut(await restored(known, start, parts), { start, size, isByToken }, parts);
  const all = await parts.select(asOf, start + size);
  const { count, unknown: undecided } = all;
  // It is stored if not all of its issues are on one page.
  const id = count > size ? parts.newId() : '';
  const list = { id, owner: principal.account, question, count, undecided, asOf, createdAt: parts.now };
  return cut({ list, all, from: 0, isNew: true }, { start, size, isByToken }, parts);
}

/** A list with its issues: its first one is that at `from`, which is negative where issues before a page are gone. */
interface WholeList {
  readonly list: PageList;
  readonly all: SelectedIssues;
  readonly from: number;
  readonly isNew: boolean;
}

async function cut(
  { list, all, from, isNew }: WholeList,
  { start, size, isByToken }: { readonly start: number; readonly size: number; readonly isByToken: boolean },
  { pages }: PageParts,
): Promise<TakenPage> {
  const first = Math.max(from, -start);
  const total = all.count - first;
  const end = Math.max(start, Math.min(total, start + size));
  const issues = all.part(start + first, end + first);
  const last = end > start && end < total ? all.keyAt(end + first - 1) : null;
  const known = list.lastKeys ?? {};
  const lastKeys =
    last === null || known[end] === last
      ? known
      : { ...Object.fromEntries(Object.entries(known).slice(-MOST_LAST_KEYS)), [end]: last };
  if (isNew && list.id !== '') await store({ ...list, lastKeys }, all, pages);
  // A page that was given out before changes nothing.
  if (!isNew && lastKeys !== known) await pages.replace({ ...list, lastKeys });
  const next = isByToken && end < total ? tokenText(list.id, end) : null;
  return { issues, all, asOf: list.asOf, facts: { start, end, size, total, next } };
}

async function store(list: PageList, { held, count }: SelectedIssues, pages: PageLists): Promise<void> {
  await pages.put(list);
  if (held === null) return;
  const rows = detached(() => held.whole());
  pages.hold(list.id, { table: held.visible.table, rows, count, from: 0 });
}

async function restored(list: PageList, start: number, parts: PageParts): Promise<WholeList> {
  const { pages, visible, select } = parts;
  const held = pages.held(list.id);
  if (held !== undefined && held.table === visible?.table) {
    return { list, all: inRows(await held.rows, visible, list.undecided), from: held.from, isNew: false };
  }
  const all = await select(list.asOf);
  const last = list.lastKeys?.[start];
  const at = last === undefined ? -1 : all.indexOf(last);
  const from = at < 0 ? 0 : at + 1 - start;
  if (all.held !== null) {
    const { rows, visible: among } = all.held;
    pages.hold(list.id, { table: among.table, rows: Promise.resolve(rows), count: all.count, from });
  }
  return { list, all, from, isNew: false };
}

async function latest(owner: string, question: string, { pages, now }: PageParts): Promise<PageList | null> {
  const list = await pages.newest(owner, question);
  return list === undefined || list.createdAt < now - GOOD_FOR_MS ? null : list;
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
  const refusal = (reason: 'unknown-name' | 'expired-value' | 'conflicting-values', problem: string) =>
    badRequestAs(reason, about('nextPageToken', `'${token}' ${problem}.`), { value: token });
  // Somebody else's token reads like one that never was.
  if (list === undefined || start >= list.count) {
    const allowed = 'Try: the one the page before gave, for a day';
    throw refusal('unknown-name', `is not known, or not any more. ${allowed}`);
  }
  if (list.createdAt < now - GOOD_FOR_MS) {
    throw refusal('expired-value', 'has expired. Try: one of the last 24 hours');
  }
  if (list.question !== questionOf(request, parts, list.asOf)) {
    const same = credited === null ? ' and the calendar' : ', the calendar and the delegations';
    const allowed = `Try: the parameters${same} of the page before, unchanged`;
    throw refusal('conflicting-values', `belongs to another question. ${allowed}`);
  }
  return { list, start };
}

function tokenText(id: string, start: number): string {
  return Buffer.from(`${id}.${start}`).toString('base64url');
}

/**
 * Equal for equal questions, whatever page is asked for; who covered for whom counts up to an instant (null: ever). A question
 * that credits nobody reads as if nobody could be credited, and one in the principal's zone as if there were no others, so
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

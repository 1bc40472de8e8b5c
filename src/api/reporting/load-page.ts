import { createHash } from 'node:crypto';
import { millisecondsInDay } from 'date-fns/constants';
import { type Backing, createNamespace, memo } from '../../cache/namespace.ts';
import type { IssueColumns } from '../../engine/columns/issue-columns.ts';
import { about, badRequestAs } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import type { Page, ReportRequest } from '../../model/request.ts';
import type { CalendarDefinition } from '../../model/settings.ts';
import type { PageFacts } from '../../model/table.ts';
import { type ChosenIssues, rowIssues, type SelectedIssues } from '../../selection/access/selected-issues.ts';
import type { VisibleIssues } from '../../selection/access/visible-issues.ts';
import type { CreditedDelegates } from '../delegations/delegation-api.ts';

/** How long a question's pages can be fetched, and how many questions of one principal at a time. */
const GOOD_FOR_MS = millisecondsInDay;
const MAX_LISTS = 50;

/** Only of so many pages, those furthest on, it is stored where they ended: each page writes them again. */
const MAX_LAST_KEYS = 20;

/** Longer than they can be fetched, so that it can be said that they could. */
const STORED_FOR_MS = 3 * GOOD_FOR_MS;

/** Of so many principals the namespaces are at hand. */
const MAX_OWNERS = 1_000;

/** Rows of all lists are cached in so many bytes; for others the question is asked again. */
const MAX_ROW_BYTES = 2 ** 25;

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

/** The issues of a list as rows of a version of columns. The list's first one is at `from`. */
interface CachedList {
  readonly columns: IssueColumns;
  readonly version: number;
  readonly chosen: ChosenIssues;
  readonly from: number;
}

/** The lists that pages are cut from. */
export interface PageLists {
  put(list: PageList): Promise<void>;
  /** The same list with more that is known of it; its age stays. */
  replace(list: PageList): Promise<void>;
  /** Rows of a list, for this process alone, and only as long as no issue changes. */
  cache(id: string, list: CachedList): void;
  cached(id: string): CachedList | undefined;
  /** Undefined as well where it is somebody else's. */
  get(owner: string, id: string): Promise<PageList | undefined>;
  /** The newest list of an owner's question. */
  newest(owner: string, question: string): Promise<PageList | undefined>;
}

/** Lists by owner: one owner's questions do not crowd out another's. */
export function createPageLists(parts: { readonly stored: Backing; readonly now: () => Instant }): PageLists {
  const bounds = {
    ttlMs: STORED_FOR_MS,
    most: MAX_LISTS,
    now: parts.now,
    backing: parts.stored,
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
    MAX_OWNERS,
  );
  const cached = new Map<string, CachedList>();
  let bytes = 0;
  const bytesOf = (list?: CachedList) => (list?.chosen.all.count ?? 0) * Uint32Array.BYTES_PER_ELEMENT;
  const drop = (id: string) => {
    bytes -= bytesOf(cached.get(id));
    cached.delete(id);
  };
  return {
    replace: (list) => of(list.owner).lists.replace(list.id, list),
    cache(id, list) {
      drop(id);
      cached.set(id, list);
      for (const [other, { columns, version }] of cached) {
        if (columns !== list.columns || version !== columns.version) drop(other);
      }
      bytes += bytesOf(list);
      for (const oldest of cached.keys()) {
        if (bytes <= MAX_ROW_BYTES) break;
        drop(oldest);
      }
    },
    cached(id) {
      const list = cached.get(id);
      if (list === undefined) return;
      cached.delete(id);
      // The one used last is dropped last.
      if (list.version === list.columns.version) cached.set(id, list);
      else bytes -= bytesOf(list);
      return cached.get(id);
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
  /** The issues of all pages, in any order. */
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
  readonly choose: (asOf: Instant) => Promise<ChosenIssues>;
}

/**
 * The issues of the page asked for. Pages by index share the newest list of a principal's question, so two runs of one
 * principal at the same time need tokens. Where the rows of a list are not at hand any more, as after a restart, the question
 * is asked again as of its instant, and the page begins after the last issue that was given out.
 */
export async function loadPage(
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
  const chosen = await parts.choose(asOf);
  const { count, unknown: undecided } = chosen.all;
  // It is stored if not all of its issues are on one page.
  const id = count > size ? parts.newId() : '';
  const list = { id, owner: principal.account, question, count, undecided, asOf, createdAt: parts.now };
  return cut({ list, chosen, from: 0, isNew: true }, { start, size, isByToken }, parts);
}

/** A list with its issues: its first one is that at `from`, which is negative where issues before a page are gone. */
interface WholeList {
  readonly list: PageList;
  readonly chosen: ChosenIssues;
  readonly from: number;
  readonly isNew: boolean;
}

async function cut(
  { list, chosen, from, isNew }: WholeList,
  { start, size, isByToken }: { readonly start: number; readonly size: number; readonly isByToken: boolean },
  { pages }: PageParts,
): Promise<TakenPage> {
  const { all } = chosen;
  const first = Math.max(from, -start);
  const total = all.count - first;
  const end = Math.max(start, Math.min(total, start + size));
  const issues = await chosen.span(start + first, end + first);
  const last = end > start && end < total ? issues.keyAt(issues.count - 1) : null;
  const known = list.lastKeys ?? {};
  const lastKeys =
    last === null || known[end] === last
      ? known
      : { ...Object.fromEntries(Object.entries(known).slice(-MAX_LAST_KEYS)), [end]: last };
  if (isNew && list.id !== '') {
    await pages.put({ ...list, lastKeys });
    cache(list.id, chosen, from, pages);
  }
  // A page that was given out before changes nothing.
  if (!isNew && lastKeys !== known) await pages.replace({ ...list, lastKeys });
  const next = isByToken && end < total ? tokenText(list.id, end) : null;
  return { issues, all, asOf: list.asOf, facts: { start, end, size, total, next } };
}

function cache(id: string, chosen: ChosenIssues, from: number, pages: PageLists): void {
  const { held } = chosen.all;
  if (held === null) return;
  const { columns } = held.visible.table;
  pages.cache(id, { columns, version: columns.version, chosen, from });
}

async function restored(list: PageList, start: number, parts: PageParts): Promise<WholeList> {
  const { pages, visible, choose } = parts;
  const cached = pages.cached(list.id);
  if (cached !== undefined && visible !== null && cached.columns === visible.table.columns) {
    return { list, chosen: seenIn(cached.chosen, visible), from: cached.from, isNew: false };
  }
  const chosen = await choose(list.asOf);
  const from = await firstOf(list, start, chosen);
  cache(list.id, chosen, from, pages);
  return { list, chosen, from, isNew: false };
}

/** The same, as far as the principal can see them by now. */
function seenIn({ all, span }: ChosenIssues, visible: VisibleIssues): ChosenIssues {
  const seen = (some: SelectedIssues) =>
    some.held === null ? some : rowIssues(some.held.rows, visible, some.unknown);
  return { all: seen(all), span: async (from, to) => seen(await span(from, to)) };
}

/** Where the first issue of a list is by now: a page begins after the last issue of the one before it. */
async function firstOf(list: PageList, start: number, { all, span }: ChosenIssues): Promise<number> {
  const last = list.lastKeys?.[start];
  if (last === undefined || (await span(start - 1, start)).keyAt(0) === last) return 0;
  const at = (await span(0, all.count)).indexOf(last);
  return at < 0 ? 0 : at + 1 - start;
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

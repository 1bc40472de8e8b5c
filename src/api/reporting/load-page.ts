import { createHash } from 'node:crypto';
import { millisecondsInDay } from 'date-fns/constants';
import { type Backing, createNamespace, memo } from '../../cache/namespace.ts';
import type { IssueColumns } from '../../engine/columns/issue-columns.ts';
import { about, badRequestAs } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import type { ReportRequest } from '../../model/request.ts';
import type { CalendarDefinition } from '../../model/settings.ts';
import type { PageFacts } from '../../model/table.ts';
import {
  type ChosenIssues,
  inOrder,
  rowIssues,
  type SelectedIssues,
} from '../../selection/access/selected-issues.ts';
import type { VisibleIssues } from '../../selection/access/visible-issues.ts';
import type { CreditedDelegates } from '../delegations/delegation-api.ts';

/** Time (ms) for which a question's pages can be fetched, and number of a principal's questions at a time. */
const GOOD_FOR_MS = millisecondsInDay;
const MAX_LISTS = 50;

/** Maximum number of pages, the furthest ones, whose last key is stored: each page writes all of them again. */
const MAX_LAST_KEYS = 20;

/** Lists are stored for longer than they can be fetched, so that an expired token is not reported as unknown. */
const STORED_FOR_MS = 3 * GOOD_FOR_MS;

/** Maximum number of principals whose cache namespaces are kept open. */
const MAX_OWNERS = 1_000;

/** Maximum size (bytes) of the cached rows of all lists; the issues of other lists are selected again. */
const MAX_ROW_BYTES = 2 ** 25;

/**
 * A question whose pages are fetched one by one: all of them are as of the same instant, and each begins where the
 * previous one ended.
 */
interface PageList {
  readonly id: string;
  /** Account of the principal. */
  readonly owner: string;
  /** Hash of the question; equal for equal questions. */
  readonly question: string;
  /** Number of selected issues. */
  readonly count: number;
  readonly undecided: number;
  readonly asOf: Instant;
  readonly createdAt: Instant;
  /** The key of the last issue of each page that was returned, by the index after it; absent in lists of Dwell 0.6. */
  readonly lastKeys?: Readonly<Record<string, string>>;
}

/** The issues of a list as rows of one version of columns. `from` is the index of the list's first issue. */
interface CachedList {
  readonly columns: IssueColumns;
  readonly version: number;
  readonly chosen: ChosenIssues;
  readonly from: number;
}

/** Stores lists, and caches their rows. */
export interface PageLists {
  put(list: PageList): Promise<void>;
  /** Stores more facts about a list, without changing its age. */
  replace(list: PageList): Promise<void>;
  /** Caches the rows of a list, in this process only, until an issue changes. */
  cache(id: string, list: CachedList): void;
  cached(id: string): CachedList | undefined;
  /** A list by id; undefined also if it belongs to another owner. */
  get(owner: string, id: string): Promise<PageList | undefined>;
  /** The newest list of an owner's question. */
  newest(owner: string, question: string): Promise<PageList | undefined>;
}

/** Creates the store of lists. The limit is per owner, so that owners do not displace each other's lists. */
export function createPageLists(parts: { readonly stored: Backing; readonly now: () => Instant }): PageLists {
  const bounds = {
    ttlMs: STORED_FOR_MS,
    maxEntries: MAX_LISTS,
    now: parts.now,
    backing: parts.stored,
    fromFuture: 'good',
    // A principal who fetches pages does not wait for the import of another process.
    defersWrites: true,
  } as const;
  // An account may contain characters that would end the name of a namespace.
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
      // The list that was used most recently is dropped last.
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

/** One page of a question's issues, as of an instant. */
interface LoadedPage {
  readonly issues: SelectedIssues;
  readonly asOf: Instant;
  /** The issues of all pages, in any order. */
  readonly all: SelectedIssues;
  readonly facts: PageFacts | null;
}

/** The inputs for loading a page. */
interface PageParts {
  readonly pages: PageLists;
  readonly newId: () => string;
  readonly now: Instant;
  /** The current definition of the calendar; if it changes, the question is another one. */
  readonly definition: CalendarDefinition;
  /** The current delegations; if they change, the question is another one. Null if no delegates are credited. */
  readonly credited: CreditedDelegates | null;
  /** All issues that the principal can see, if the question's issues are among them; otherwise null. */
  readonly visible: VisibleIssues | null;
  readonly choose: (asOf: Instant) => Promise<ChosenIssues>;
}

/** All issues of a question as its only page. */
export function wholePage(issues: SelectedIssues, asOf: Instant): LoadedPage {
  return { issues, all: issues, asOf, facts: null };
}

/**
 * Loads the requested page. Pages by index share the newest list of a principal's question, so two concurrent runs of
 * one principal need tokens. If the rows of a list are not cached any more, such as after a restart, its issues are
 * selected again as of its instant, and the page begins after the last issue of the previous page.
 */
export async function loadPage(request: ReportRequest, asOf: Instant, parts: PageParts): Promise<LoadedPage> {
  const { principal, page } = request;
  if (page === null) return wholePage(await inOrder(await parts.choose(asOf)), asOf);
  const { size } = page;
  const isByToken = page.by === 'token';
  if (isByToken && page.token !== null) {
    const { list, start } = await byToken(page.token, request, parts);
    return cut(await restored(list, start, parts), { start, size, isByToken }, parts);
  }
  const start = isByToken ? 0 : page.start;
  // The instant of a list by index is unknown until the list is found.
  const question = questionOf(request, parts, isByToken ? asOf : request.asOf);
  const known = start === 0 ? undefined : await parts.pages.newest(principal.account, question);
  if (known !== undefined && known.createdAt >= parts.now - GOOD_FOR_MS) {
    return cut(await restored(known, start, parts), { start, size, isByToken }, parts);
  }
  const chosen = await parts.choose(asOf);
  const { count, unknown: undecided } = chosen.all;
  // The list is stored only if it has more than one page.
  const id = count > size ? parts.newId() : '';
  const list = { id, owner: principal.account, question, count, undecided, asOf, createdAt: parts.now };
  return cut({ list, chosen, from: 0, isNew: true }, { start, size, isByToken }, parts);
}

/** A list with its issues. `from` is the index of its first issue; negative if issues before the page are gone. */
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
): Promise<LoadedPage> {
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
  // A page that was returned before changes nothing.
  if (!isNew && lastKeys !== known) await pages.replace({ ...list, lastKeys });
  const next = isByToken && end < total ? Buffer.from(`${list.id}.${end}`).toString('base64url') : null;
  return { issues, all, asOf: list.asOf, facts: { start, end, size, total, next } };
}

function cache(id: string, chosen: ChosenIssues, from: number, pages: PageLists): void {
  const { rowSelection } = chosen.all;
  if (rowSelection === null) return;
  const { columns } = rowSelection.visible.table;
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

/** The chosen issues that the principal can still see. */
function seenIn({ all, span }: ChosenIssues, visible: VisibleIssues): ChosenIssues {
  const seen = (some: SelectedIssues) =>
    some.rowSelection === null ? some : rowIssues(some.rowSelection.rows, visible, some.unknown);
  return { all: seen(all), span: async (from, to) => seen(await span(from, to)) };
}

/** Finds the current index of a list's first issue: a page begins after the last issue of the previous one. */
async function firstOf(list: PageList, start: number, { all, span }: ChosenIssues): Promise<number> {
  const last = list.lastKeys?.[start];
  if (last === undefined || (await span(start - 1, start)).keyAt(0) === last) return 0;
  const at = (await span(0, all.count)).indexOf(last);
  return at < 0 ? 0 : at + 1 - start;
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
  // A token of another owner is reported like one that does not exist.
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

/**
 * A hash that is equal for equal questions, regardless of the page. It depends on delegations until an instant (null
 * means all). Without credited delegates, or in the principal's time zone, it is the same as before these options
 * existed, so that older tokens remain valid.
 */
function questionOf(
  { page: _, creditDelegates, timeZone, ...question }: ReportRequest,
  { definition, credited }: PageParts,
  until: Instant | null,
): string {
  const { account: user, rights } = question.principal;
  // The names and values of Dwell 0.6, whose lists remain valid after an upgrade.
  const asker = { user, admin: rights === 'admin', ...(rights === 'stranger' ? { isStranger: true } : {}) };
  const spelled = Object.fromEntries(
    Object.entries(question).map(([name, value]) =>
      name === 'principal' ? ['asker', asker] : [name, value],
    ),
  );
  const crediting = credited === null ? [] : [creditDelegates, credited.revision(until)];
  return createHash('sha256')
    .update(JSON.stringify([spelled, definition, ...crediting, ...(timeZone === null ? [] : [{ timeZone }])]))
    .digest('base64url');
}

import { AppError } from '../../src/model/error.ts';
import type { Instant, Issue } from '../../src/model/issue.ts';
import {
  emptyPage,
  type FoundIssue,
  type IssuePage,
  type LiveTracker,
  type SearchWindow,
  type Site,
} from '../../src/trackers/live-tracker.ts';
import type { TrackerEntry } from '../../src/trackers/tracker.ts';
import { anIssue } from './issue-story.ts';

/** What the search knows of an issue, and since when. */
interface Indexed extends FoundIssue {
  readonly updated: Instant;
  readonly created: Instant;
  readonly since: Instant;
  readonly gone: boolean;
}

/** A tracker in memory that changes while it is asked. */
export interface LivingTracker extends LiveTracker {
  create(project: string): string;
  change(id: string): void;
  move(id: string, project: string): void;
  remove(id: string): void;
  /** Our account may not see it any more, or again. */
  hide(id: string, hidden: boolean): void;
  /** Puts in what cannot be used. */
  spoil(id: string, spoilt: boolean): void;
  /** Fails to tell it by id. */
  fail(id: string, failing: boolean): void;
  /** No search finds it any more. */
  archive(id: string): void;
  /** Undoes what happened to it last, as a backup does. */
  restore(id: string): void;
  /** From now on the search lags behind so long (ms). */
  lag(ms: number): void;
  /** From now on its clock is so far (ms) ahead of ours. */
  runAhead(ms: number): void;
  /** The same tracker, asked for the issues of one project only. */
  wishing(project: string | null): LiveTracker;
  /** The issue's history comes cut, or whole again. */
  cut(id: string, isCut: boolean): void;
  /** As it must be kept. */
  readonly kept: ReadonlyMap<string, Issue>;
  /** Old keys and the ids they lead to. */
  readonly oldKeys: ReadonlyMap<string, string>;
}

/** How a tracker behaves. `ourNow` is our clock; `before` is called before each answer, and may change or fail. */
export interface LivingOptions {
  readonly ourNow: () => Instant;
  readonly aheadMs?: number;
  /** How long (ms) the search lags behind. */
  readonly lagMs?: number;
  readonly pageSize?: number;
  /** False: a page begins behind the last issue of the one before, whatever has changed. */
  readonly byPosition?: boolean;
  readonly url?: string;
  readonly before?: (method: string) => void | Promise<void>;
  readonly told?: () => readonly TrackerEntry[];
}

/** Pages go by position, as on Data Center: what changes meanwhile shifts the others. */
export function livingTracker(options: LivingOptions): LivingTracker {
  const { ourNow, pageSize = 3, byPosition = true, url = 'https://demo.example', before } = options;
  let { aheadMs = 0, lagMs = 0 } = options;
  const now = () => ourNow() + aheadMs;
  const issues = new Map<string, Issue>();
  const index = new Map<string, Indexed[]>();
  const oldKeys = new Map<string, string>();
  const hidden = new Set<string>();
  const spoilt = new Set<string>();
  const failing = new Set<string>();
  const archived = new Set<string>();
  const isCut = new Set<string>();
  const undone = new Map<string, (Issue & { readonly id: string })[]>();
  const latest = new Map<string, Instant>();
  const numbers = new Map<string, number>();
  let ids = 0;
  let sent = 0;

  const nextKey = (project: string) => {
    const number = (numbers.get(project) ?? 0) + 1;
    numbers.set(project, number);
    return `${project}-${number}`;
  };
  const put = (issue: Issue & { readonly id: string }, gone = false) => {
    if (gone) issues.delete(issue.id);
    else issues.set(issue.id, issue);
    const updated = Number(issue.fields.updated);
    latest.set(issue.id, Math.max(updated, latest.get(issue.id) ?? updated));
    const seen = {
      id: issue.id,
      key: issue.key,
      updated,
      created: issue.created,
      since: now() + lagMs,
      gone,
    };
    index.set(issue.id, [...(index.get(issue.id) ?? []), seen]);
  };
  const known = (id: string) => {
    const issue = issues.get(id);
    return issue === undefined ? null : { ...issue, id };
  };
  const updated = <Kind extends Issue & { readonly id: string }>(issue: Kind): Kind => {
    // No two updates of an issue are told by the same instant.
    const at = Math.max(now(), (latest.get(issue.id) ?? 0) + 1);
    undone.set(issue.id, [...(undone.get(issue.id) ?? []), issue]);
    return { ...issue, updated: at, fields: { ...issue.fields, updated: at } };
  };
  type IsWished = (issue: { readonly key: string }) => boolean;
  const search = ({ by, from }: SearchWindow, isWished: IsWished): Indexed[] =>
    [...index.values()]
      .flatMap((versions) => versions.findLast(({ since }) => since <= now()) ?? [])
      .filter((one) => !one.gone && isWished(one) && !hidden.has(one.id) && !archived.has(one.id))
      .filter((one) => from === null || one[by] >= minute(from))
      .sort((a, b) => a[by] - b[by] || Number(a.id) - Number(b.id));
  const page = (window: SearchWindow, place: string | null, isWished: IsWished) => {
    const text = JSON.stringify(window);
    const [at, id, asked] = place === null ? [0, 0, text] : JSON.parse(place);
    if (asked !== text)
      throw new AppError('invalid-value', 'Bad request', ['The place is of another search.']);
    const all = search(window, isWished);
    const isAfter = (one: Indexed) => one[window.by] > at || (one[window.by] === at && Number(one.id) > id);
    const rest = byPosition ? all.slice(at) : all.filter((one) => place === null || isAfter(one));
    const found = rest.slice(0, pageSize);
    const last = found.at(-1);
    if (last === undefined || rest.length <= pageSize) return { found, next: null };
    const next = byPosition ? [at + pageSize, 0, text] : [last[window.by], Number(last.id), text];
    return { found, next: JSON.stringify(next) };
  };
  const asked = async (method: string) => {
    sent += 1;
    await before?.(method);
  };
  const told = (id: string): TrackerEntry[] => {
    const issue = known(id);
    if (issue === null) return [];
    if (spoilt.has(id)) return [{ kind: 'rejected', source: url, key: issue.key, reason: 'it is spoilt' }];
    const cutHistory = { complete: false, unknownFrom: null, unknownUntil: null, reason: 'cut' } as const;
    return [
      { kind: 'users', users: [{ id: 'ada', name: 'Ada' }] },
      { kind: 'issue', issue: isCut.has(id) ? { ...issue, changes: [], history: cutHistory } : issue },
    ];
  };
  const fresh = (id: string): FoundIssue[] => {
    const issue = known(id);
    return issue === null ? [] : [{ id, key: issue.key, updated: Number(issue.fields.updated) }];
  };

  const load = async (ids: readonly string[], isWished: IsWished): Promise<IssuePage> => {
    await asked('loadIds');
    const isThere = (id: string) => {
      const issue = known(id);
      return issue !== null && isWished(issue) && !hidden.has(id);
    };
    const there = ids.filter((id) => isThere(id) && !failing.has(id));
    return {
      ...emptyPage,
      entries: there.flatMap(told),
      found: there.flatMap(fresh),
      missing: ids.filter((id) => !isThere(id)),
      failed: ids
        .filter((id) => isThere(id) && failing.has(id))
        .map((id) => ({ id, reason: 'it is not told' })),
    };
  };
  const view = (isWished: IsWished): LiveTracker => ({
    title: 'Jira',
    connection: {
      async site(): Promise<Site> {
        await asked('site');
        return { url, now: now(), clockAheadMs: aheadMs };
      },
      async *checkConnection() {
        yield { about: 'site', product: 'A tracker', url };
      },
      async count() {
        await asked('count');
        return [...issues.values()].filter(isWished).length;
      },
      requests: () => ({ sent, repeated: 0, slowedDown: 0 }),
      close: async () => {},
    },
    async *lists() {
      await asked('lists');
      yield { entries: options.told?.() ?? [], place: null };
    },
    async issues(wanted) {
      if ('ids' in wanted && wanted.detail === 'whole') return load(wanted.ids, isWished);
      if ('ids' in wanted) {
        await asked('findable');
        const found = new Set(search({ by: 'created', from: null }, isWished).map(({ id }) => id));
        return { ...emptyPage, missing: wanted.ids.filter((id) => !found.has(id)) };
      }
      const { window, place, detail } = wanted;
      await asked(detail === 'whole' ? 'load' : 'survey');
      const { found, next } = page(window, place, isWished);
      if (detail === 'updated') return { ...emptyPage, found, next };
      if (detail === 'keys')
        return { ...emptyPage, found: found.map((one) => ({ ...one, updated: null })), next };
      const there = found.filter(({ id }) => issues.has(id));
      return { ...emptyPage, entries: there.flatMap(({ id }) => told(id)), found: there, next };
    },
    permissions: async () => ({
      ...{ projects: new Set<string>(), closedProjects: new Set<string>(), partly: new Set<string>() },
      ...{ issues: new Set<string>(), unasked: 0, requests: 0 },
    }),
  });

  return {
    kept: issues,
    oldKeys,
    create(project) {
      ids += 1;
      const id = String(ids);
      const { issue } = anIssue(nextKey(project), new Date(now()).toISOString());
      put({ id, ...issue, fields: { ...issue.fields, updated: now() } });
      return id;
    },
    change(id) {
      const issue = known(id);
      if (issue === null) return;
      const next = updated(issue);
      const to = { id: `s${issue.changes.length}`, name: `s${issue.changes.length}` };
      const entry = String(issue.changes.length + 1);
      const change = { entry, item: 0, at: next.updated, field: 'status', from: issue.status, to, by: 'ada' };
      const fields = { ...next.fields, status: to };
      put({ ...next, status: to, fields, changes: [...issue.changes, change] });
    },
    move(id, project) {
      const issue = known(id);
      if (issue === null) return;
      oldKeys.set(issue.key, id);
      put({ ...updated(issue), key: nextKey(project), project: { id: project, name: project } });
    },
    remove(id) {
      const issue = known(id);
      if (issue !== null) put(issue, true);
    },
    hide: (id, isHidden) => void (isHidden ? hidden.add(id) : hidden.delete(id)),
    spoil: (id, isSpoilt) => void (isSpoilt ? spoilt.add(id) : spoilt.delete(id)),
    cut: (id, cut) => void (cut ? isCut.add(id) : isCut.delete(id)),
    fail: (id, isFailing) => void (isFailing ? failing.add(id) : failing.delete(id)),
    archive: (id) => void archived.add(id),
    restore(id) {
      const before = undone.get(id)?.pop();
      if (before !== undefined && issues.has(id)) put(before);
    },
    lag(ms) {
      lagMs = ms;
    },
    runAhead(ms) {
      aheadMs = ms;
    },
    wishing: (project) => view(({ key }) => project === null || key.startsWith(`${project}-`)),
    ...view(() => true),
  };
}

/** Dates of searches have minutes. */
function minute(at: Instant): Instant {
  return Math.floor(at / 60_000) * 60_000;
}

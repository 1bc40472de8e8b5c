import { afterEach, expect } from '#jest';
import type { Issue } from '../../../src/model/issue.ts';
import { createJiraClient } from '../../../src/trackers/jira/create-jira-client.ts';
import { createJiraTracker } from '../../../src/trackers/jira/create-jira-tracker.ts';
import { readIssue } from '../../../src/trackers/jira-json/read-issue.ts';
import type { IssuePage, LiveTracker, SearchWindow } from '../../../src/trackers/live-tracker.ts';
import type { TrackerEntry } from '../../../src/trackers/tracker.ts';
import { type JiraOptions, jiraAccount, startStandInJira } from '../../support/stand-in-jira.ts';
import { createJiraWorld, type JiraWorld, type JiraWorldWish } from '../../support/stand-in-jira-world.ts';

/** When the tests of the tracker begin, on our clock. */
export const trackerNow = Date.parse('2026-03-16T08:00:00Z');

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

interface Wish extends Partial<JiraWorldWish>, Pick<JiraOptions, 'manners'> {
  readonly jql?: string | null;
  /** When it is. */
  readonly at?: string;
}

/** A Jira full of issues and the tracker that asks it; time passes only by `pass`. */
export async function startTracker({ jql = null, manners = {}, at, ...wish }: Wish = {}) {
  let now = at === undefined ? trackerNow : Date.parse(at);
  const pass = (ms: number) => {
    now += ms;
  };
  const world = createJiraWorld({ issues: 105, seed: 7, clock: () => now, ...wish });
  const tries: AbortController[] = [];
  // Where Jira stays silent, time passes until nobody waits any longer.
  const onSilence = () => {
    for (const one of tries.splice(0)) one.abort();
  };
  const jira = await startStandInJira(world, { manners: { onSilence, ...manners } });
  const { email, token, pat } = jiraAccount;
  const { client } = createJiraClient(
    {
      baseUrl: jira.baseUrl,
      credentials: world.mode === 'cloud' ? { kind: 'apiToken', email, token } : { kind: 'pat', token: pat },
      requestsPerMinute: 6000,
    },
    {
      now: () => now,
      wait: async (ms) => pass(ms),
      random: () => 0,
      secrets: { get: async () => null, change: async (_, change) => change(null) },
      deadline() {
        const one = new AbortController();
        tries.push(one);
        return one.signal;
      },
      atlassian: { auth: 'http://127.0.0.1:9', api: 'http://127.0.0.1:9' },
    },
  );
  const tracker = inShort(createJiraTracker(client, { jql, now: () => now }));
  open.push(async () => {
    await tracker.close();
    await jira.close();
    expect(jira.violations).toEqual([]);
  });
  return { tracker, jira, world, pass };
}

export type StartedTracker = Awaited<ReturnType<typeof startTracker>>;

/** A tracker with a name for each question, as tests put them. */
function inShort(tracker: LiveTracker) {
  return {
    ...tracker,
    ...tracker.connection,
    load: (window: SearchWindow, place: string | null) => tracker.issues({ window, place, detail: 'whole' }),
    survey: (window: SearchWindow, place: string | null, detail: 'updated' | 'keys') =>
      tracker.issues({ window, place, detail }),
    loadIds: (ids: readonly string[]) => tracker.issues({ ids, detail: 'whole' }),
    async findable(ids: readonly string[]) {
      const { missing } = await tracker.issues({ ids, detail: 'presence' });
      return new Set(ids.filter((id) => !missing.includes(id)));
    },
  };
}

/** All of a search, page by page; pages are endless where places lead in circles. */
export async function allPages(
  ask: (window: SearchWindow, place: string | null) => Promise<IssuePage>,
  window: SearchWindow = { by: 'created', from: null },
): Promise<IssuePage[]> {
  const pages: IssuePage[] = [];
  let place: string | null = null;
  do {
    const page = await ask(window, place);
    pages.push(page);
    place = page.next;
  } while (place !== null && pages.length < 1000);
  return pages;
}

/** All issues of a Jira, by id: as the tracker reads them, and as Jira's own full JSON has them. */
export async function loadAll({ tracker, world }: StartedTracker) {
  const pages = await allPages(tracker.load);
  const issues = issuesIn(pages.flatMap(({ entries }) => entries));
  return { pages, issues, expected: new Map([...world.ids()].map((id) => [id, wholeIssueOf(world, id)])) };
}

/** Compares issues as texts, which is many times faster; only those that differ are shown as they are. */
export function expectSame(issues: ReadonlyMap<string, Issue>, expected: ReadonlyMap<string, Issue>): void {
  const differing = new Set(
    [...issues.keys(), ...expected.keys()].filter((id) => {
      const [one, other] = [issues.get(id), expected.get(id)];
      return one === undefined || other === undefined || spelled(one) !== spelled(other);
    }),
  );
  const among = (some: ReadonlyMap<string, Issue>) => [...some].filter(([id]) => differing.has(id));
  expect(new Map(among(issues))).toEqual(new Map(among(expected)));
}

/** Members of an issue come in the order in which it was put together. */
function spelled(issue: Issue): string {
  return JSON.stringify(Object.fromEntries(Object.entries(issue).toSorted(([a], [b]) => (a < b ? -1 : 1))));
}

/** The issues among what was told, by id. */
export function issuesIn(entries: readonly TrackerEntry[]): Map<string, Issue> {
  const issues = entries.flatMap((entry) => (entry.kind === 'issue' ? [entry.issue] : []));
  return new Map(issues.map((issue) => [issue.id ?? '', issue]));
}

/** What a world's own full JSON says of an issue, its changelog oldest first. */
export function wholeIssueOf(world: JiraWorld, id: string): Issue {
  const { changelog, ...raw } = world.whole(id);
  const told = [...(changelog?.histories ?? [])];
  const histories = world.mode === 'cloud' ? told.toReversed() : told;
  const read = readIssue(
    { ...raw, changelog: { startAt: 0, total: told.length, histories } },
    { lack: null },
  );
  if ('reason' in read) throw new Error(read.reason);
  return { ...read.issue, id: raw.id, link: `${world.site}/browse/${read.issue.key}` };
}

/** Everything a list tells. */
export async function listed(tracker: LiveTracker): Promise<TrackerEntry[]> {
  const told: TrackerEntry[] = [];
  for await (const { entries } of tracker.lists(null)) told.push(...entries);
  return told;
}

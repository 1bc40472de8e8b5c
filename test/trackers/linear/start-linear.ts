import { afterEach } from '#jest';
import type { Issue } from '../../../src/model/issue.ts';
import { openLinear } from '../../../src/trackers/linear/open-linear.ts';
import type { IssuePage, LiveTracker, SearchWindow } from '../../../src/trackers/live-tracker.ts';
import { linearKey, startStandInLinear } from '../../support/stand-in-linear.ts';
import { createLinearWorld } from '../../support/stand-in-linear-world.ts';

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

/** A workspace and the tracker that reads it; time passes only by `pass` and by waiting. */
export async function startLinear({ apiKey = linearKey }: { readonly apiKey?: string } = {}) {
  let now = Date.parse('2026-03-16T08:00:00Z');
  const waits: number[] = [];
  const pass = (ms: number) => {
    now += ms;
  };
  const world = createLinearWorld(() => now);
  const linear = await startStandInLinear(world);
  const tracker = openLinear(
    { url: linear.url, apiKey, requestsPerMinute: 1000, webhookSecret: null },
    {
      now: () => now,
      async wait(ms) {
        waits.push(ms);
        pass(ms);
      },
      random: () => 0,
      deadline: () => new AbortController().signal,
      secrets: { get: async () => null, change: async (_, change) => change(null) },
    },
  );
  open.push(async () => {
    await tracker.connection.close();
    await linear.close();
  });
  return { world, linear, tracker, pass, waits };
}

export const everything: SearchWindow = { by: 'created', from: null };

/** All pages of a search. */
export async function pagesOf(
  tracker: LiveTracker,
  window: SearchWindow = everything,
  detail: 'whole' | 'updated' | 'keys' = 'whole',
): Promise<IssuePage[]> {
  const pages: IssuePage[] = [];
  let place: string | null = null;
  do {
    const page: IssuePage = await tracker.issues({ window, place, detail });
    pages.push(page);
    place = page.next;
  } while (place !== null);
  return pages;
}

/** The issues of pages, by key. */
export function issuesOf(pages: readonly IssuePage[]): Map<string, Issue> {
  const issues = pages
    .flatMap(({ entries }) => entries)
    .flatMap((entry) => (entry.kind === 'issue' ? [entry.issue] : []));
  return new Map(issues.map((issue) => [issue.key, issue]));
}

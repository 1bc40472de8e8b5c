import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { millisecondsInDay } from 'date-fns/constants';
import fc from 'fast-check';
import { expect, test } from '#jest';
import { createPageLists } from '../../../src/api/reporting/load-page.ts';
import type { ReportingApi } from '../../../src/api/reporting/reporting-api.ts';
import { createStoreMirror } from '../../../src/mirror/create-mirrors.ts';
import type { Issue } from '../../../src/model/issue.ts';
import { ask, type Page } from '../../../src/model/request.ts';
import type { CalendarDefinition } from '../../../src/model/settings.ts';
import { anIssue } from '../../support/issue-story.ts';
import { localReporting } from '../../support/local-reporting.ts';
import { openTestStore } from '../../support/open-test-store.ts';
import { principalOf } from '../../support/principal-of.ts';
import { runs } from '../../support/soak.ts';
import { storedIn } from '../../support/stored-in.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const start = Date.parse('2026-01-05T00:00:00Z');
const iso = (at: number) => new Date(at).toISOString();
const principal = principalOf('ada');

/** Issues created day by day; a moved one is done, and so leaves the query. */
const numbered = (n: number): Issue => anIssue(`WEB-${n}`, iso(start + n * 60_000)).issue;
const moved = (n: number, at: number): Issue =>
  anIssue(`WEB-${n}`, iso(start + n * 60_000)).moves('Done', iso(at)).issue;

/** A Dwell of some issues whose data changes between questions, and a clock that goes on. */
async function aWorld(count: number) {
  const folder = temporaryFolder();
  let store = await openTestStore(folder);
  const issues = store.issues('file');
  const clock = { now: start + 10 * millisecondsInDay };
  const put = (changed: readonly Issue[]) => issues.putIssues(changed, (_kept, incoming) => incoming);
  await put(Array.from({ length: count }, (_, i) => ({ id: String(i + 1), ...numbered(i + 1) })));
  await issues.putFilledAt(clock.now);
  const mirror = createStoreMirror('file', issues);
  const now = () => clock.now;
  const open = () => createPageLists({ stored: storedIn(store, now), now });
  const pages = open();
  const reporting = localReporting(mirror, now, { pages });
  /** The same after a restart: nothing but what is stored is left. */
  const restarted = () => localReporting(createStoreMirror('file', issues), now, { pages: open() });
  const remove = (ids: readonly string[]) => store.sync('file').removeIssues(ids);
  /** Another process, after this one has come to its end. */
  const reopened = async () => {
    store.close();
    store = await openTestStore(folder);
    return localReporting(createStoreMirror('file', store.issues('file')), now, { pages: open() });
  };
  const close = () => {
    store.close();
    rmSync(folder, { recursive: true });
  };
  return { reporting, restarted, reopened, mirror, pages, clock, put, remove, close, folder };
}

const pageOf = (reporting: ReportingApi, page: Page, jql = 'status = "To Do" order by updated desc') =>
  reporting.report(ask({ principal, reportType: 'statusDuration', selection: { by: 'jql', jql }, page }));

const aChange = fc.record({ moved: fc.nat({ max: 29 }), added: fc.nat({ max: 3 }) });

test.each([
  ['token', 'in one process'],
  ['index', 'in one process'],
  ['token', 'each after a restart'],
  ['index', 'each after a restart'],
] as const)(
  'pages by %s neither lose nor repeat an issue while issues move, leave the query and are added: %s',
  async (by, where) => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 1, max: 12 }),
        fc.array(aChange, { minLength: 30, maxLength: 30 }),
        async (count, size, changes) => {
          const { reporting, restarted, clock, put, close } = await aWorld(count);
          try {
            const seen: string[] = [];
            const asOf = new Set<number>();
            let [token, at, number]: [string | null, number, number] = [null, 0, count];
            for (const change of changes) {
              const table = await pageOf(
                where === 'in one process' ? reporting : restarted(),
                by === 'token' ? { by, token, size } : { by, start: at, size },
              );
              seen.push(...table.issues.map((issue) => issue.key));
              asOf.add(table.provenance.asOf);
              expect(table.page).toMatchObject({ start: at, total: count });
              at = table.page?.end ?? 0;
              token = table.page?.next ?? null;
              if (at >= count) break;
              clock.now += 60_000;
              const added = Array.from({ length: change.added }, () => numbered(++number));
              await put([moved((change.moved % count) + 1, clock.now), ...added]);
            }
            const all = Array.from({ length: count }, (_, i) => `WEB-${i + 1}`);
            expect(seen.toSorted()).toEqual(all.toSorted());
            expect(asOf.size).toBe(1);
            expect(token).toBeNull();
          } finally {
            close();
          }
        },
      ),
      { numRuns: runs(12) },
    );
  },
);

test.each(['token', 'index'] as const)(
  'pages by %s do not wait for another process that writes, and are there after a restart',
  async (by) => {
    const { reporting, reopened, clock, folder, close } = await aWorld(30);
    const other = new DatabaseSync(join(folder, 'dwell.db'));
    try {
      const pageAt = (start: number, token: string | null = null): Page =>
        by === 'token' ? { by, token, size: 10 } : { by, start, size: 10 };
      other.exec('BEGIN IMMEDIATE');
      const first = await pageOf(reporting, pageAt(0));
      const second = await pageOf(reporting, pageAt(10, first.page?.next));
      other.exec('COMMIT');
      clock.now += 60_000;
      const third = await pageOf(await reopened(), pageAt(20, second.page?.next));
      const keys = [first, second, third].flatMap(({ issues }) => issues.map(({ key }) => key));
      expect(keys).toEqual(Array.from({ length: 30 }, (_, i) => `WEB-${30 - i}`));
      expect(third.provenance.asOf).toBe(first.provenance.asOf);
    } finally {
      other.close();
      close();
    }
  },
);

test('a page before those that were given out is whole after a restart, although issues before it are gone', async () => {
  const { reporting, restarted, remove, close } = await aWorld(30);
  try {
    for (const start of [0, 10]) await pageOf(reporting, { by: 'index', start, size: 10 });
    await remove(Array.from({ length: 6 }, (_, i) => String(30 - i)));
    const again = restarted();
    const keysOf = async (start: number) =>
      (await pageOf(again, { by: 'index', start, size: 10 })).issues.map(({ key }) => key);
    expect(await keysOf(20)).toEqual(Array.from({ length: 10 }, (_, i) => `WEB-${10 - i}`));
    expect(await keysOf(3)).toEqual(Array.from({ length: 10 }, (_, i) => `WEB-${24 - i}`));
  } finally {
    close();
  }
});

test.each([
  ['that never was', (_token: string) => 'bm9uc2Vuc2U', /is not known, or not any more/],
  ['of another question', (token: string) => token, /belongs to another question/],
])('a token %s is refused', async (_which, change, message) => {
  const { reporting, close } = await aWorld(5);
  try {
    const first = await pageOf(reporting, { by: 'token', token: null, size: 2 });
    const token = change(first.page?.next ?? '');
    await expect(pageOf(reporting, { by: 'token', token, size: 2 }, 'project = WEB')).rejects.toMatchObject({
      code: 'bad-request',
      details: [expect.stringMatching(message)],
    });
  } finally {
    close();
  }
});

test('a calendar changed between two pages makes another question', async () => {
  const { mirror, pages, close } = await aWorld(5);
  try {
    const office = (end: number): CalendarDefinition => ({
      id: 101,
      name: 'Office',
      timeZone: 'UTC',
      workingTimes: [{ weekday: 'MONDAY', start: 0, end }],
      holidays: [],
    });
    const at = () => start + 10 * millisecondsInDay;
    const ask5 = (calendar: CalendarDefinition, token: string | null) =>
      localReporting(mirror, at, { pages, calendars: [calendar] }).report(
        ask({
          principal,
          reportType: 'statusDuration',
          selection: { by: 'project', project: 'WEB' },
          calendar: 'Office',
          page: { by: 'token', token, size: 2 },
        }),
      );
    const { page } = await ask5(office(millisecondsInDay), null);
    expect((await ask5(office(millisecondsInDay), page?.next ?? null)).issues).toHaveLength(2);
    await expect(ask5(office(millisecondsInDay / 2), page?.next ?? null)).rejects.toMatchObject({
      details: [expect.stringMatching(/belongs to another question/)],
    });
  } finally {
    close();
  }
});

test('a token of somebody else, or of the day before yesterday, is refused', async () => {
  const { reporting, clock, close } = await aWorld(5);
  try {
    const first = await pageOf(reporting, { by: 'token', token: null, size: 2 });
    const page: Page = { by: 'token', token: first.page?.next ?? null, size: 2 };
    const others = reporting.report(
      ask({
        principal: principalOf('bob'),
        reportType: 'statusDuration',
        selection: { by: 'jql', jql: 'status = "To Do" order by updated desc' },
        page,
      }),
    );
    await expect(others).rejects.toMatchObject({ code: 'bad-request', reason: 'unknown-name' });
    clock.now += 2 * millisecondsInDay;
    await expect(pageOf(reporting, page)).rejects.toMatchObject({
      reason: 'expired-value',
      details: [expect.stringMatching(/has expired/)],
    });
  } finally {
    close();
  }
});

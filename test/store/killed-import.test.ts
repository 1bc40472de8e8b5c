import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from '#jest';
import { readIssue } from '../../src/trackers/jira-json/read-issue.ts';
import { aStore } from '../support/a-store.ts';
import { dwellProcess } from '../support/dwell-process.ts';
import { exportFile, jiraIssue, movesTo, type RawIssue, searchResult } from '../support/jira-export.ts';
import { openTestStore, type TestStore } from '../support/open-test-store.ts';
import { seeded } from '../support/seeded.ts';
import { runs } from '../support/soak.ts';
import { storeEngine } from '../support/store-engine.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Several batches: an import still runs when the half of them is noticed. */
const ISSUES = 4000;
const KILLS_BETWEEN = runs(2);
const statuses = ['In Progress', 'In Review', 'To Do', 'In Progress', 'In Review', 'Done'];

function exported(key: string, moves: number): RawIssue {
  return statuses
    .slice(0, moves)
    .reduce((story, status, i) => story.at(`2026-03-0${i + 3}T09:00:00Z`, movesTo(status)), jiraIssue(key))
    .onCloud();
}

function asKept(raw: RawIssue): string {
  const read = readIssue(raw);
  if ('reason' in read) throw new Error(read.reason);
  return JSON.stringify(read.issue);
}

describe('an import that is killed', () => {
  const dataDir = temporaryFolder();
  const finished = Array.from({ length: 50 }, (_, i) => exported(`DEMO-${i + 1}`, 2));
  const large = Array.from({ length: ISSUES }, (_, i) => exported(`DEMO-${i + 1}`, 6));
  const before = new Map(finished.map((raw) => [raw.key, asKept(raw)]));
  const after = new Map(large.map((raw) => [raw.key, asKept(raw)]));
  const largeFile = exportFile(searchResult(...large));

  beforeAll(async () => {
    await storeEngine.make(dataDir);
    expect(await dwellProcess(dataDir, 'import', exportFile(searchResult(...finished))).ended).toMatchObject({
      code: 0,
    });
  });

  /**
   * Kills an import as soon as the store holds that many issues; another reader of the store watches. Tells whether
   * that hit it after it had written something and before it was done.
   */
  async function killedAt(count: number): Promise<boolean> {
    const store = await openTestStore(dataDir);
    const watched = store.issues('file');
    const atFirst = await watched.count();
    const { process, ended } = dwellProcess(dataDir, 'import', largeFile);
    while (process.exitCode === null && (await watched.count()) < count) {
      await pause(2);
    }
    process.kill('SIGKILL');
    const { code } = await ended;
    const stored = await watched.count();
    store.close();
    return code === null && stored > atFirst && stored < ISSUES;
  }

  /** Every issue there is, is one that was told, with all its changes; those of the finished import are all there. */
  async function expectWhole(): Promise<number> {
    const store = await openTestStore(dataDir);
    const stored = await keptIn(store);
    const torn = [...stored].filter(([key, issue]) => issue !== before.get(key) && issue !== after.get(key));
    expect(torn).toEqual([]);
    expect([...stored.keys()]).toEqual(expect.arrayContaining([...before.keys()]));
    expect(await store.issues('file').filledAt()).not.toBeNull();
    await store.close();
    return stored.size;
  }

  /** All issues of a store as JSON, by their keys. */
  async function keptIn(store: TestStore): Promise<ReadonlyMap<string, string>> {
    const { issues } = await store.issues('file').changedSince(0, ISSUES + 1);
    return new Map(issues.map(({ issue }) => [issue.key, JSON.stringify(issue)]));
  }

  test('leaves whole issues only and the finished import as it was; repeating it completes it', async () => {
    const random = seeded(20_260_318);
    const moments = [0, ...Array.from({ length: KILLS_BETWEEN }, random)]
      .map((share) => Math.floor((share * ISSUES) / 2))
      .toSorted((a, b) => a - b);
    const hits: boolean[] = [];
    for (const moment of moments) {
      hits.push(await killedAt(moment));
      expect(await expectWhole()).toBeGreaterThanOrEqual(Math.max(moment, before.size));
    }
    expect(hits).toContain(true);
    const { out, code } = await dwellProcess(dataDir, 'import', largeFile).ended;
    expect(out).toContain(`Issues           ${ISSUES}\n`);
    expect(code).toBe(0);
    expect(await expectWhole()).toBe(ISSUES);
    const store = await aStore(dataDir);
    const stored = await keptIn(store);
    expect([...after].filter(([key, issue]) => stored.get(key) !== issue)).toEqual([]);
  });
});

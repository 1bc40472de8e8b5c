import { millisecondsInHour, millisecondsInMinute } from 'date-fns/constants';
import { describe, expect, test } from '#jest';
import { refusal } from '../../support/stand-in-jira-faults.ts';
import { startTracker, trackerNow } from '../../trackers/jira/start-tracker.ts';
import { startSync } from './start-sync.ts';

const BOARDS = 63;
/** The boards whose sprints are read at once, and the requests for them. */
const SLICE = 20;
/** After this time such lists are read again. */
const DUE_MS = 2 * millisecondsInHour;
const LEASE_MS = millisecondsInMinute;

/** A Jira with many boards whose lists were taken, and a call for each request from then on. */
async function start(mode: 'cloud' | 'dataCenter' = 'cloud') {
  const started = await startTracker({ mode, issues: 6, more: { boards: BOARDS - 3, groups: 25 } });
  const { tracker, jira, world } = started;
  let passed = 0;
  const pass = (ms: number) => {
    passed += ms;
    started.pass(ms);
  };
  const sync = await startSync({ now: () => trackerNow + passed });
  await sync.filled(tracker);
  pass(DUE_MS);
  const from = jira.calls.length;
  let onCall = async (_path: string) => {};
  jira.faults.push(
    ({ path }) => {
      void onCall(path);
      return false;
    },
    refusal(500, 'Never.'),
  );
  const later = () => jira.calls.slice(from);
  return {
    ...{ tracker, jira, world, pass, later, ...sync },
    /** Boards whose sprints were read. */
    read: () => later().flatMap(({ path }) => /^\/board\/(\d+)\/sprint$/.exec(path)?.[1] ?? []),
    boards: async () => new Set((await sync.issues.directory()).sprints.map(({ board }) => board)),
    /** Takes a turn of a process that dies with the `count`th request for a board's sprints, until its lease is over. */
    async killedAtBoard(count: number) {
      const killed = Promise.withResolvers<void>();
      let left = count;
      jira.faults.push(
        ({ path }) => {
          left -= Number(path.startsWith('/board/'));
          return left === 0;
        },
        () => killed.resolve(),
      );
      sync
        .process(tracker)
        .turn()
        .catch(() => {});
      await killed.promise;
      pass(LEASE_MS);
    },
    /** Calls `work` once, with the `count`th request for a board's sprints. */
    atBoard(count: number, work: () => void | Promise<void>) {
      let left = count;
      onCall = async (path) => {
        if (!path.startsWith('/board/')) return;
        left -= 1;
        if (left === 0) await work();
      };
    },
    onEach(work: (path: string) => void) {
      onCall = async (path) => work(path);
    },
  };
}

/** The number of requests from one to the first one that names an issue. */
const requestsUntil = (calls: readonly { readonly body: unknown; readonly query: object }[], id: string) =>
  calls.findIndex(({ body, query }) => `${JSON.stringify(body)}${JSON.stringify(query)}`.includes(id));

describe.each(['cloud', 'dataCenter'] as const)('while Jira %s sends many lists', (mode) => {
  test('an announced change is read after a slice of them, not after all', async () => {
    const { tracker, world, later, process, atBoard } = await start(mode);
    const [id = ''] = world.ids();
    const sync = process(tracker);
    let sent = 0;
    atBoard(5, async () => {
      await sync.nudge([id]);
      sent = later().length;
    });
    await sync.turn();
    const waited = requestsUntil(later().slice(sent), id);
    expect(waited).toBeGreaterThanOrEqual(0);
    expect(waited).toBeLessThanOrEqual(SLICE + 1);
  });

  test('other changes are followed as often as between two turns', async () => {
    const { tracker, world, later, pass, process, issues, onEach } = await start(mode);
    const [key = ''] = world.keys();
    let isChanged = false;
    // The pause between turns is half a minute: a slice takes longer.
    onEach((path) => {
      if (!path.startsWith('/board/')) return;
      pass(2000);
      if (isChanged) return;
      isChanged = true;
      world.transition(key);
    });
    const searches = () => later().filter(({ path }) => path.startsWith('/search'));
    const turn = process(tracker).turn();
    await turn;
    expect((await issues.issue(key))?.status.id).toBe(world.issue(world.numberOf(key) ?? 0).status);
    const places = later().map(({ path }) => path);
    const first = places.findIndex((path) => path.startsWith('/board/'));
    const between = places.slice(
      first,
      places.findLastIndex((path) => path.startsWith('/board/')),
    );
    expect(between.filter((path) => path.startsWith('/search')).length).toBeGreaterThanOrEqual(3);
    expect(searches().length).toBeLessThan(30);
  });
});

describe('lists of a process that is killed between two slices', () => {
  async function killed() {
    const started = await start();
    const { world, killedAtBoard } = started;
    // The first board is gone from Jira by now.
    world.boards.splice(0, 1);
    await killedAtBoard(2 * SLICE + 5);
    return started;
  }

  test('go on at the stored place in another process, and are as they were until all are there', async () => {
    const { tracker, process, read, boards, kept, later } = await killed();
    const before = read();
    expect(before.length).toBeLessThan(BOARDS - 1);
    expect(await boards()).toContain('11');
    expect((await boards()).size).toBe(BOARDS - 2);
    const count = later().length;
    await process(tracker).turn();
    expect(await boards()).not.toContain('11');
    expect((await boards()).size).toBe(BOARDS - 3);
    const after = later().slice(count);
    const again = read().slice(before.length);
    expect(again.filter((board) => before.includes(board)).length).toBeLessThanOrEqual(SLICE);
    expect(again.length).toBeLessThan(before.length);
    expect(after.some(({ path }) => path === '/status' || path === '/group/bulk')).toBe(false);
    expect(await kept.listsSlices()).toEqual([]);
  });

  test('are read from scratch after more than an hour', async () => {
    const { tracker, process, read, boards, pass } = await killed();
    const before = read().length;
    pass(millisecondsInHour + millisecondsInMinute);
    await process(tracker).turn();
    // All but the first board, and the one without sprints.
    expect(new Set(read().slice(before)).size).toBe(BOARDS - 2);
    expect((await boards()).size).toBe(BOARDS - 3);
  });

  test('with a part that Jira refused before only add to what was stored', async () => {
    const { tracker, jira, world, process, killedAtBoard, boards, pass } = await start();
    world.boards.splice(0, 1);
    jira.faults.push('/board/1001/sprint', refusal(403, 'Not yours.'));
    await killedAtBoard(2 * SLICE + 5);
    const { withheld } = await process(tracker).turn();
    expect(withheld).toEqual([expect.stringMatching(/^sprints: .*Not yours/)]);
    expect((await boards()).size).toBe(BOARDS - 2);
    pass(DUE_MS);
    await process(tracker).turn();
    expect((await boards()).size).toBe(BOARDS - 3);
  });
});

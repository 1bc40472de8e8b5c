import { millisecondsInHour } from 'date-fns/constants';
import { describe, expect, test } from '#jest';
import { livingTracker } from '../../support/living-tracker.ts';
import { startSync, usual } from './start-sync.ts';

const silent = () => {};

async function start(...projects: readonly string[]) {
  const time = { now: Date.parse('2026-03-02T09:00:00Z') };
  const tracker = livingTracker({ ourNow: () => time.now, pageSize: 50 });
  const ids = projects.map((project) => tracker.create(project));
  return { time, tracker, ids, ...(await startSync({ now: () => time.now })) };
}

describe('an issue that is archived', () => {
  test('goes, although it is told by id, and is not read again', async () => {
    const { time, tracker, ids, issues, process } = await start('DEMO', 'DEMO', 'DEMO');
    const sync = process(tracker);
    await sync.run(usual, silent);
    tracker.archive(ids[0] ?? '');
    time.now += 2 * millisecondsInHour;
    const status = await sync.run(usual, silent);
    expect(status).toMatchObject({ issues: 2, problem: null });
    expect(await issues.issue('DEMO-1')).toBeNull();
  });

  test('is not taken for one that no search finds yet', async () => {
    const { time, tracker, issues, process } = await start('DEMO', 'DEMO');
    const sync = process(tracker);
    await sync.run(usual, silent);
    time.now += millisecondsInHour;
    tracker.lag(millisecondsInHour / 2);
    await sync.nudge([tracker.create('DEMO')]);
    await sync.run(usual, silent);
    expect(await issues.issue('DEMO-3')).not.toBeNull();
    await sync.run({ compare: true, acceptRemovals: false }, silent);
    expect(await issues.issue('DEMO-3')).not.toBeNull();
  });
});

describe('more than half of few issues', () => {
  test('stay when nothing finds them any more, and go when somebody says so', async () => {
    const { tracker, ids, process } = await start(...Array.from({ length: 10 }, () => 'DEMO'));
    const sync = process(tracker);
    await sync.run(usual, silent);
    for (const id of ids.slice(0, 6)) tracker.hide(id, true);
    const guarded = await sync.run({ compare: true, acceptRemovals: false }, silent);
    expect(guarded.issues).toBe(10);
    expect(guarded.problem?.message).toContain('none was removed');
    expect((await sync.run({ compare: true, acceptRemovals: true }, silent)).issues).toBe(4);
  });

  test('are more than half: half of them go', async () => {
    const { tracker, ids, process } = await start(...Array.from({ length: 10 }, () => 'DEMO'));
    const sync = process(tracker);
    await sync.run(usual, silent);
    for (const id of ids.slice(0, 5)) tracker.hide(id, true);
    expect((await sync.run({ compare: true, acceptRemovals: false }, silent)).issues).toBe(5);
  });
});

describe('another wish than before', () => {
  test('that is narrower takes the others away without a word, and lists wait for that', async () => {
    const { tracker, issues, process } = await start('DEMO', 'WEB', 'WEB', 'WEB');
    await process(tracker).run(usual, silent);
    const sync = process(tracker.wishing('DEMO'), { wish: 'project = DEMO' });
    expect(await sync.status()).toMatchObject({ filled: false, asOf: null, done: 0, total: null });
    const status = await sync.run(usual, silent);
    expect(status).toMatchObject({ filled: true, issues: 1, done: 1, total: 1, problem: null });
    expect(await issues.recentKeys(9)).toEqual(['DEMO-1']);
  });

  test('that is wider takes what is lacking before it is done', async () => {
    const { tracker, process } = await start('DEMO', 'WEB', 'WEB');
    await process(tracker.wishing('DEMO'), { wish: 'project = DEMO' }).run(usual, silent);
    const told: unknown[] = [];
    const sync = process(tracker);
    const status = await sync.run(usual, ({ filled }) => void told.push(filled));
    expect(status).toMatchObject({ filled: true, issues: 3, problem: null });
    expect(told).not.toContain(true);
  });

  test('guards again what is here once it was compared', async () => {
    const { tracker, ids, process } = await start(...Array.from({ length: 5 }, () => 'DEMO'), 'WEB');
    await process(tracker).run(usual, silent);
    const sync = process(tracker.wishing('DEMO'), { wish: 'project = DEMO' });
    await sync.run(usual, silent);
    for (const id of ids) tracker.hide(id, true);
    expect((await sync.run({ compare: true, acceptRemovals: false }, silent)).issues).toBe(5);
  });
});

describe('what may be told', () => {
  test('is nothing while another site answers, and all again once its own does', async () => {
    const { time, tracker, process } = await start('DEMO');
    const ours = process(tracker);
    expect(await ours.refusal()).toBeNull();
    await ours.run(usual, silent);
    expect(await ours.refusal()).toBeNull();
    const options = { ourNow: () => time.now };
    const other = livingTracker({ ...options, url: 'https://other.example' });
    const theirs = process(other, { address: 'https://other.example' });
    expect(await theirs.refusal()).toContain("whether that is the site at 'https://other.example'");
    await expect(theirs.run(usual, silent)).rejects.toMatchObject({ code: 'bad-request' });
    expect(await theirs.refusal()).toContain("the site that answers now is 'https://other.example'");
    // The same address, and another site behind it.
    const changed = process(other);
    expect(await changed.refusal()).toBeNull();
    await expect(changed.run(usual, silent)).rejects.toMatchObject({ code: 'bad-request' });
    expect(await changed.refusal()).not.toBeNull();
  });

  test('is everything where the site has another address now, once it has answered there', async () => {
    const { tracker, process } = await start('DEMO');
    await process(tracker).run(usual, silent);
    const moved = process(tracker, { address: 'https://proxy.example' });
    expect(await moved.refusal()).not.toBeNull();
    await moved.run(usual, silent);
    expect(await moved.refusal()).toBeNull();
    expect(await process(tracker, { address: 'https://proxy.example' }).refusal()).toBeNull();
    expect(await process(tracker).refusal()).not.toBeNull();
  });
});

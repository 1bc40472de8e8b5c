import { millisecondsInHour } from 'date-fns/constants';
import { describe, expect, test } from '#jest';
import { livingTracker } from '../../support/living-tracker.ts';
import { inDemo, startLiving } from './start-sync.ts';

describe('an issue that is archived', () => {
  test('goes, although it is loaded by id, and is not read again', async () => {
    const { time, tracker, ids, issues, filled } = await startLiving(inDemo(3));
    const sync = await filled(tracker);
    tracker.archive(ids[0] ?? '');
    time.now += 2 * millisecondsInHour;
    const status = await sync.turn();
    expect(status).toMatchObject({ issues: 2, problem: null });
    expect(await issues.issue('DEMO-1')).toBeNull();
  });

  test('is not taken for one that no search finds yet', async () => {
    const { time, tracker, issues, filled } = await startLiving(inDemo(2));
    const sync = await filled(tracker);
    time.now += millisecondsInHour;
    tracker.lag(millisecondsInHour / 2);
    await sync.nudge([tracker.create('DEMO')]);
    await sync.turn();
    expect(await issues.issue('DEMO-3')).not.toBeNull();
    await sync.turn({ compare: true });
    expect(await issues.issue('DEMO-3')).not.toBeNull();
  });
});

test('half of few issues go when no search finds them; more than half stay until an admin accepts', async () => {
  const { tracker, ids, filled } = await startLiving(inDemo(10));
  const sync = await filled(tracker);
  for (const id of ids.slice(0, 5)) tracker.hide(id, true);
  expect((await sync.turn({ compare: true })).issues).toBe(5);
  for (const id of ids.slice(5, 8)) tracker.hide(id, true);
  const guarded = await sync.turn({ compare: true });
  expect(guarded.issues).toBe(5);
  expect(guarded.problem?.message).toContain('none was removed');
  expect((await sync.turn({ compare: true, acceptRemovals: true })).issues).toBe(2);
});

describe('another query than before', () => {
  test('that is narrower removes the others without consent, and lists wait for that', async () => {
    const { tracker, issues, process, filled } = await startLiving(['DEMO', 'WEB', 'WEB', 'WEB']);
    await filled(tracker);
    const sync = process(tracker.wishing('DEMO'), { wish: 'project = DEMO' });
    expect(await sync.status()).toMatchObject({ filled: false, asOf: null, done: 0, total: null });
    const status = await sync.turn();
    expect(status).toMatchObject({ filled: true, issues: 1, done: 1, total: 1, problem: null });
    expect(await issues.recentKeys(9)).toEqual(['DEMO-1']);
  });

  test('that is wider takes what is lacking before it is done', async () => {
    const { tracker, process, filled } = await startLiving(['DEMO', 'WEB', 'WEB']);
    await filled(tracker.wishing('DEMO'), { wish: 'project = DEMO' });
    const progress: unknown[] = [];
    const status = await process(tracker).turn({}, ({ filled }) => void progress.push(filled));
    expect(status).toMatchObject({ filled: true, issues: 3, problem: null });
    expect(progress).not.toContain(true);
  });

  test('guards again what is here once it was compared', async () => {
    const { tracker, ids, filled } = await startLiving([...inDemo(5), 'WEB']);
    await filled(tracker);
    const sync = await filled(tracker.wishing('DEMO'), { wish: 'project = DEMO' });
    for (const id of ids) tracker.hide(id, true);
    expect((await sync.turn({ compare: true })).issues).toBe(5);
  });
});

describe('access to the stored issues', () => {
  test('is nothing while another site answers, and all again once its own does', async () => {
    const { time, tracker, issues, process } = await startLiving(inDemo(1));
    const ours = process(tracker);
    expect(await ours.refusal()).toBeNull();
    await ours.turn();
    expect(await ours.refusal()).toBeNull();
    const other = livingTracker({ ourNow: () => time.now, url: 'https://other.example' });
    const theirs = process(other, { address: 'https://other.example' });
    expect(await theirs.refusal()).toContain("whether that is the site at 'https://other.example'");
    await expect(theirs.turn()).rejects.toMatchObject({
      code: 'bad-request',
      message: expect.stringContaining("of 'https://demo.example'"),
    });
    expect(await issues.recentKeys(9)).toEqual(['DEMO-1']);
    expect(await theirs.refusal()).toContain("the site that answers now is 'https://other.example'");
    // The same address, and another site behind it.
    const changed = process(other);
    expect(await changed.refusal()).toBeNull();
    await expect(changed.turn()).rejects.toMatchObject({ code: 'bad-request' });
    expect(await changed.refusal()).not.toBeNull();
  });

  test('is everything where the site has another address now, once it has answered there', async () => {
    const { tracker, process, filled } = await startLiving(inDemo(1));
    await filled(tracker);
    const moved = process(tracker, { address: 'https://proxy.example' });
    expect(await moved.refusal()).not.toBeNull();
    await moved.turn();
    expect(await moved.refusal()).toBeNull();
    expect(await process(tracker, { address: 'https://proxy.example' }).refusal()).toBeNull();
    expect(await process(tracker).refusal()).not.toBeNull();
  });
});

import { millisecondsInHour } from 'date-fns/constants';
import { describe, expect, test } from '#jest';
import { AppError } from '../../../src/model/error.ts';
import { inDemo, startLiving } from './start-sync.ts';

/** Lets all work happen that awaits only its turn. */
async function settled(): Promise<void> {
  for (let i = 0; i < 50; i += 1) await new Promise((resolve) => setImmediate(resolve));
}

describe('a turn', () => {
  test('after the first fill asks for what was updated, and for nothing else', async () => {
    const { time, requests, tracker, filled } = await startLiving(inDemo(20));
    const sync = await filled(tracker);
    time.now += 10 * 60_000;
    requests.length = 0;
    expect(await sync.turn()).toMatchObject({ asOf: time.now, issues: 20 });
    expect(requests).toEqual(['site', 'site', 'survey']);
    tracker.change('7');
    requests.length = 0;
    await sync.turn();
    expect(requests).toEqual(['site', 'site', 'survey', 'loadIds']);
  });

  test('takes lists and compares again after an hour', async () => {
    const { time, requests, tracker, filled } = await startLiving([]);
    const sync = await filled(tracker);
    time.now += millisecondsInHour - 1;
    requests.length = 0;
    await sync.turn();
    expect(requests).not.toContain('lists');
    time.now += 1;
    await sync.turn();
    expect(requests.filter((one) => one === 'lists')).toHaveLength(1);
    expect(requests.filter((one) => one === 'survey')).toHaveLength(3);
  });

  test('goes on with a long comparison in the next ones, so that what was updated does not wait for it', async () => {
    const { time, tracker, process } = await startLiving(inDemo(16), {
      pageSize: 2,
      before() {
        time.now += 25_000;
      },
    });
    const sync = process(tracker);
    const { comparedAt } = await sync.turn();
    time.now += millisecondsInHour;
    expect((await sync.turn()).comparedAt).toBe(comparedAt);
    tracker.change('3');
    expect((await sync.turn()).asOf).toBeGreaterThan(time.now - 5 * 60_000);
    await sync.turn();
    expect((await sync.turn()).comparedAt).toBeGreaterThan(comparedAt ?? 0);
  });

  test('that fails shows why, in a sentence, also to other processes, until one comes to its end', async () => {
    let fails = true;
    const { tracker, process } = await startLiving(inDemo(1), {
      before(method) {
        if (fails && method === 'load') throw new AppError('service-unavailable', 'Jira does not answer.');
      },
    });
    await expect(process(tracker).turn()).rejects.toThrow('Jira does not answer.');
    const other = process(tracker);
    expect(await other.status()).toMatchObject({
      filled: false,
      asOf: null,
      problem: { message: 'Jira does not answer.' },
    });
    fails = false;
    expect(await other.turn()).toMatchObject({ filled: true, problem: null });
  });

  test('shows no text of an unforeseen error', async () => {
    const { tracker, process } = await startLiving([], {
      before() {
        throw new Error('secret');
      },
    });
    const sync = process(tracker);
    await expect(sync.turn()).rejects.toThrow('secret');
    expect((await sync.status())?.problem?.message).not.toContain('secret');
  });

  test('takes the lists only, where only people are wanted', async () => {
    const ada = { id: 'ada', name: 'Ada', email: 'ada@tallow.example' };
    const { requests, tracker, issues, process } = await startLiving(inDemo(1), {
      withIssues: false,
      told: () => [{ kind: 'users', users: [ada] }],
    });
    expect(await process(tracker).turn()).toMatchObject({ filled: true, issues: 0 });
    expect(requests).toEqual(['site', 'lists']);
    expect([...(await issues.users()).values()]).toEqual([ada]);
  });
});

describe('an issue', () => {
  test('whose history comes cut keeps the whole one of the same update, and heals otherwise', async () => {
    const { time, tracker, ids, issues, process } = await startLiving(inDemo(2));
    const [one = '', two = ''] = ids;
    time.now += 1000;
    tracker.change(one);
    tracker.change(two);
    tracker.cut(two, true);
    const sync = process(tracker);
    expect(await sync.turn()).toMatchObject({ cutHistories: 1 });
    tracker.cut(one, true);
    tracker.cut(two, false);
    await sync.nudge([one]);
    expect(await sync.turn()).toMatchObject({ cutHistories: 0 });
    expect((await issues.issue('DEMO-1'))?.changes).toHaveLength(1);
    expect((await issues.issue('DEMO-2'))?.changes).toHaveLength(1);
  });

  test('of which an older answer comes late stays as in the newer one', async () => {
    const { tracker, ids, issues, process, filled } = await startLiving(inDemo(1));
    const [id = ''] = ids;
    const before = await tracker.issues({ ids: [id], detail: 'whole' });
    tracker.change(id);
    await filled(tracker);
    const after = await issues.issue('DEMO-1');
    const late = process({
      ...tracker,
      issues: async (wanted) =>
        'ids' in wanted && wanted.detail === 'whole' ? before : tracker.issues(wanted),
    });
    await late.nudge([id]);
    await late.turn();
    expect(await issues.issue('DEMO-1')).toEqual(after);
  });
});

describe('a nudge', () => {
  test('is read in the next turn at the latest: a removed issue goes without a comparison', async () => {
    const { tracker, ids, issues, filled } = await startLiving(inDemo(2));
    const [one = '', two = ''] = ids;
    const sync = await filled(tracker);
    tracker.remove(one);
    tracker.change(two);
    await sync.nudge([one, two]);
    await sync.turn();
    expect(await issues.recentKeys(9)).toEqual(['DEMO-2']);
    expect((await issues.issue('DEMO-2'))?.changes).toHaveLength(1);
  });

  test('of a new issue while ids are compared leaves it here', async () => {
    let isAwaited = false;
    const { tracker, issues, filled } = await startLiving(inDemo(5), {
      pageSize: 2,
      lagMs: 60_000,
      async before(method) {
        if (method !== 'survey' || !isAwaited) return;
        isAwaited = false;
        await sync.nudge([tracker.create('WEB')]);
      },
    });
    const sync = await filled(tracker);
    isAwaited = true;
    await sync.turn({ compare: true });
    expect(await issues.issue('WEB-1')).not.toBeNull();
  });
});

describe('two processes', () => {
  test('take turns: the second one follows the progress of the first', async () => {
    let goOn = () => {};
    const released: (() => void)[] = [];
    const { tracker, process } = await startLiving(inDemo(1), {
      before: (method) => (method === 'load' ? new Promise<void>((resolve) => (goOn = resolve)) : undefined),
      wait: (ms, signal) =>
        new Promise((resolve) => {
          signal?.addEventListener('abort', () => resolve());
          if (ms === 1000) released.push(resolve);
        }),
    });
    const first = process(tracker).turn();
    await settled();
    const steps: string[] = [];
    const second = process(tracker).turn({}, ({ step }) => void steps.push(step));
    await settled();
    expect(steps).toEqual(['fill']);
    goOn();
    await first;
    for (const release of released) release();
    expect(await second).toMatchObject({ filled: true, issues: 1 });
  });

  test('do not undo each other’s work: the one that has lost the lease writes nothing', async () => {
    let goOn = () => {};
    let holds = true;
    const { time, tracker, issues, process, filled } = await startLiving(inDemo(1), {
      before: (method) =>
        method === 'load' && holds ? new Promise<void>((resolve) => (goOn = resolve)) : undefined,
    });
    const lost = process(tracker).turn();
    await settled();
    time.now += 31_000;
    holds = false;
    await filled(tracker);
    const revision = await issues.revision();
    goOn();
    await settled();
    expect(await issues.revision()).toBe(revision);
    // It has taken a turn once the lease was free.
    expect(await lost).toMatchObject({ filled: true, issues: 1 });
  });
});

describe('stopping', () => {
  test('does not wait for an answer, and the next process goes on', async () => {
    let holds = true;
    const { tracker, process } = await startLiving(inDemo(1), {
      before: (method) => (method === 'load' && holds ? new Promise<void>(() => {}) : undefined),
    });
    const sync = process(tracker);
    sync.start();
    await settled();
    await sync.stop();
    holds = false;
    expect(await process(tracker).turn()).toMatchObject({ filled: true, issues: 1 });
  });
});

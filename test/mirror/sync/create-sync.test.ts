import { millisecondsInHour } from 'date-fns/constants';
import { describe, expect, test } from '#jest';
import { AppError } from '../../../src/model/error.ts';
import { type LivingOptions, livingTracker } from '../../support/living-tracker.ts';
import { startSync, usual } from './start-sync.ts';

const silent = () => {};

async function start(options: Partial<LivingOptions> & { readonly withIssues?: boolean } = {}) {
  const time = { now: Date.parse('2026-03-02T09:00:00Z') };
  const asked: string[] = [];
  const tracker = livingTracker({
    ourNow: () => time.now,
    ...options,
    before: (method) => {
      asked.push(method);
      return options.before?.(method);
    },
  });
  const { withIssues = true } = options;
  return { time, asked, tracker, ...(await startSync({ now: () => time.now, withIssues })) };
}

/** Lets everything happen that waits for nothing but its turn. */
async function settled(): Promise<void> {
  for (let i = 0; i < 50; i += 1) await new Promise((resolve) => setImmediate(resolve));
}

describe('a turn', () => {
  test('after the first fill asks for what was updated, and for nothing else', async () => {
    const { time, asked, tracker, process } = await start({ pageSize: 50 });
    for (let i = 0; i < 20; i += 1) tracker.create('DEMO');
    const sync = process(tracker);
    await sync.run(usual, silent);
    time.now += 10 * 60_000;
    asked.length = 0;
    expect(await sync.run(usual, silent)).toMatchObject({ asOf: time.now, issues: 20 });
    expect(asked).toEqual(['site', 'site', 'survey']);
    tracker.change('7');
    asked.length = 0;
    await sync.run(usual, silent);
    expect(asked).toEqual(['site', 'site', 'survey', 'loadIds']);
  });

  test('takes lists and compares again after an hour', async () => {
    const { time, asked, tracker, process } = await start();
    const sync = process(tracker);
    await sync.run(usual, silent);
    time.now += millisecondsInHour - 1;
    asked.length = 0;
    await sync.run(usual, silent);
    expect(asked).not.toContain('lists');
    time.now += 1;
    await sync.run(usual, silent);
    expect(asked.filter((one) => one === 'lists')).toHaveLength(1);
    expect(asked.filter((one) => one === 'survey')).toHaveLength(3);
  });

  test('goes on with a long comparison in the next ones, so that what was updated does not wait for it', async () => {
    const asked: string[] = [];
    const { time, tracker, process } = await start({
      pageSize: 2,
      before: (method) => {
        asked.push(method);
        time.now += 25_000;
      },
    });
    for (let i = 0; i < 16; i += 1) tracker.create('DEMO');
    const sync = process(tracker);
    const { comparedAt } = await sync.run(usual, silent);
    time.now += millisecondsInHour;
    expect((await sync.run(usual, silent)).comparedAt).toBe(comparedAt);
    tracker.change('3');
    expect((await sync.run(usual, silent)).asOf).toBeGreaterThan(time.now - 5 * 60_000);
    await sync.run(usual, silent);
    expect((await sync.run(usual, silent)).comparedAt).toBeGreaterThan(comparedAt ?? 0);
  });

  test('tells what stopped it, in a sentence, also to other processes, until one comes to its end', async () => {
    let fails = true;
    const { tracker, process } = await start({
      before: (method) => {
        if (fails && method === 'load') throw new AppError('service-unavailable', 'Jira does not answer.');
      },
    });
    tracker.create('DEMO');
    await expect(process(tracker).run(usual, silent)).rejects.toThrow('Jira does not answer.');
    const other = process(tracker);
    expect(await other.status()).toMatchObject({
      filled: false,
      asOf: null,
      problem: { message: 'Jira does not answer.' },
    });
    fails = false;
    expect(await other.run(usual, silent)).toMatchObject({ filled: true, problem: null });
  });

  test('says nothing of an error that nobody foresaw', async () => {
    const { tracker, process } = await start({
      before: () => {
        throw new Error('secret');
      },
    });
    const sync = process(tracker);
    await expect(sync.run(usual, silent)).rejects.toThrow('secret');
    expect((await sync.status())?.problem?.message).not.toContain('secret');
  });

  test('refuses another site than the one whose issues are here', async () => {
    const { time, tracker, issues, process } = await start();
    tracker.create('DEMO');
    await process(tracker).run(usual, silent);
    const other = livingTracker({ ourNow: () => time.now, url: 'https://other.example' });
    other.create('WEB');
    await expect(process(other).run(usual, silent)).rejects.toMatchObject({ code: 'bad-request' });
    await expect(process(other).run(usual, silent)).rejects.toThrow("of 'https://demo.example'");
    expect(await issues.recentKeys(9)).toEqual(['DEMO-1']);
  });

  test('takes the lists only, where only people are wanted', async () => {
    const ada = { id: 'ada', name: 'Ada', email: 'ada@tallow.example' };
    const { asked, tracker, issues, process } = await start({
      withIssues: false,
      told: () => [{ kind: 'users', users: [ada] }],
    });
    tracker.create('DEMO');
    const status = await process(tracker).run(usual, silent);
    expect(asked).toEqual(['site', 'lists']);
    expect(status).toMatchObject({ filled: true, issues: 0 });
    expect([...(await issues.users()).values()]).toEqual([ada]);
  });
});

describe('an issue', () => {
  test('that cannot be used is told of until it can', async () => {
    const { time, tracker, issues, process } = await start();
    const id = tracker.create('DEMO');
    tracker.create('DEMO');
    tracker.spoil(id, true);
    const sync = process(tracker);
    expect((await sync.run(usual, silent)).withheld).toEqual(['DEMO-1: it is spoilt']);
    tracker.spoil(id, false);
    time.now += millisecondsInHour;
    expect(await sync.run(usual, silent)).toMatchObject({ withheld: [], issues: 2 });
    expect(await issues.issue('DEMO-1')).not.toBeNull();
  });

  test('whose history comes cut keeps the whole one of the same update, and heals otherwise', async () => {
    const { time, tracker, issues, process } = await start();
    const [one, two] = [tracker.create('DEMO'), tracker.create('DEMO')];
    time.now += 1000;
    tracker.change(one);
    tracker.change(two);
    tracker.cut(two, true);
    const sync = process(tracker);
    expect(await sync.run(usual, silent)).toMatchObject({ cutHistories: 1 });
    tracker.cut(one, true);
    tracker.cut(two, false);
    await sync.nudge([one]);
    expect(await sync.run(usual, silent)).toMatchObject({ cutHistories: 0 });
    expect((await issues.issue('DEMO-1'))?.changes).toHaveLength(1);
    expect((await issues.issue('DEMO-2'))?.changes).toHaveLength(1);
  });

  test('that an older answer tells stays as the newer one told it', async () => {
    const { tracker, issues, process } = await start();
    const id = tracker.create('DEMO');
    const before = await tracker.issues({ ids: [id], detail: 'whole' });
    tracker.change(id);
    const sync = process(tracker);
    await sync.run(usual, silent);
    const after = await issues.issue('DEMO-1');
    const late = process({
      ...tracker,
      issues: async (wanted) =>
        'ids' in wanted && wanted.detail === 'whole' ? before : tracker.issues(wanted),
    });
    await late.nudge([id]);
    await late.run(usual, silent);
    expect(await issues.issue('DEMO-1')).toEqual(after);
  });
});

describe('a nudge', () => {
  test('is looked at in the next turn at the latest: what is gone goes without a comparison', async () => {
    const { tracker, issues, process } = await start();
    const [one, two] = [tracker.create('DEMO'), tracker.create('DEMO')];
    const sync = process(tracker);
    await sync.run(usual, silent);
    tracker.remove(one);
    tracker.change(two);
    await sync.nudge([one, two]);
    await sync.run(usual, silent);
    expect(await issues.recentKeys(9)).toEqual(['DEMO-2']);
    expect((await issues.issue('DEMO-2'))?.changes).toHaveLength(1);
  });

  test('of a new issue while ids are compared leaves it here', async () => {
    let once = true;
    const { tracker, issues, process } = await start({
      pageSize: 2,
      lagMs: 60_000,
      before: async (method) => {
        if (method !== 'survey' || !compares || !once) return;
        once = false;
        await sync.nudge([tracker.create('WEB')]);
      },
    });
    let compares = false;
    for (let i = 0; i < 5; i += 1) tracker.create('DEMO');
    const sync = process(tracker);
    await sync.run(usual, silent);
    compares = true;
    await sync.run({ compare: true, acceptRemovals: false }, silent);
    expect(await issues.issue('WEB-1')).not.toBeNull();
  });
});

describe('two processes', () => {
  test('take turns: who comes second follows the progress of the first', async () => {
    let goOn = () => {};
    const time = { now: 0 };
    const released: (() => void)[] = [];
    const tracker = livingTracker({
      ourNow: () => time.now,
      before: (method) => (method === 'load' ? new Promise<void>((resolve) => (goOn = resolve)) : undefined),
    });
    tracker.create('DEMO');
    const { process } = await startSync({
      now: () => time.now,
      wait: (ms, signal) =>
        new Promise((resolve) => {
          signal?.addEventListener('abort', () => resolve());
          if (ms === 1000) released.push(resolve);
        }),
    });
    const first = process(tracker).run(usual, silent);
    await settled();
    const told: string[] = [];
    const second = process(tracker).run(usual, ({ step }) => void told.push(step));
    await settled();
    expect(told).toEqual(['fill']);
    goOn();
    await first;
    for (const release of released) release();
    expect(await second).toMatchObject({ filled: true, issues: 1 });
  });

  test('do not undo each other’s work: who has lost the lease writes nothing', async () => {
    let goOn = () => {};
    let holds = true;
    const { time, tracker, issues, process } = await start({
      before: (method) =>
        method === 'load' && holds ? new Promise<void>((resolve) => (goOn = resolve)) : undefined,
    });
    tracker.create('DEMO');
    const lost = process(tracker).run(usual, silent);
    await settled();
    time.now += 31_000;
    holds = false;
    await process(tracker).run(usual, silent);
    const revision = await issues.revision();
    goOn();
    await settled();
    expect(await issues.revision()).toBe(revision);
    // It has looked again once the lease was free.
    expect(await lost).toMatchObject({ filled: true, issues: 1 });
  });
});

describe('stopping', () => {
  test('does not wait for an answer, and the next process goes on', async () => {
    let holds = true;
    const { tracker, process } = await start({
      before: (method) => (method === 'load' && holds ? new Promise<void>(() => {}) : undefined),
    });
    tracker.create('DEMO');
    const sync = process(tracker);
    sync.start();
    await settled();
    await sync.stop();
    holds = false;
    expect(await process(tracker).run(usual, silent)).toMatchObject({ filled: true, issues: 1 });
  });
});

import { millisecondsInDay, millisecondsInMinute } from 'date-fns/constants';
import fc from 'fast-check';
import { pino } from 'pino';
import { beforeEach, describe, expect, test } from '#jest';
import { createNudges } from '../../../src/api/nudges/create-nudges.ts';
import { countsIn, type NudgeInput, type NudgeNotifier } from '../../../src/api/nudges/nudges-api.ts';
import { AppError } from '../../../src/model/error.ts';
import type { GivenAnswer } from '../../../src/model/nudge.ts';
import { aStore } from '../../support/a-store.ts';
import { until } from '../../support/local-exports.ts';
import type { TestStore } from '../../support/open-test-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const NOON = Date.parse('2026-03-18T12:00:00Z');
const visit = { statusId: '3', since: NOON - 4 * millisecondsInDay };

let clock: { now: number };
let dataDir: string;
let store: TestStore;
beforeEach(async () => {
  clock = { now: NOON };
  dataDir = temporaryFolder();
  store = await aStore(dataDir);
});

function nudgesOver(of: TestStore) {
  let ids = 0;
  return createNudges({
    store: of,
    delegations: { chainOf: refused, delegations: refused },
    tenant: 'default',
    now: () => clock.now,
    newId: () => `${process.hrtime.bigint()} ${ids++}`,
    log: pino({ level: 'silent' }),
  });
}

async function refused(): Promise<never> {
  throw new Error('no one looks for cover here');
}

/** Ada nudges ben about an issue on a day. */
const input = (key: string, day = '2026-03-18', more: Partial<NudgeInput> = {}): NudgeInput => ({
  ...{ key, day, visit, link: null, thread: null, account: 'U0BEN', by: 'U0ADA' },
  person: { id: 'ben', name: 'Ben' },
  ...more,
});
const idOf = (key: string, day = '2026-03-18') => `${key} ben ${day}`;

/** A notifier that remembers what it delivered, or fails as it is told. */
function aNotifier(fail: () => Promise<void> = async () => {}) {
  const delivered: GivenAnswer['kind'][] = [];
  const notes: unknown[] = [];
  const notifier: NudgeNotifier = {
    async returnAnswer({ answer, note }, storeNote) {
      notes.push(note);
      await storeNote({ trying: 'direct' });
      await fail();
      delivered.push(answer.kind);
    },
  };
  return { delivered, notes, notifier };
}

describe('a nudge', () => {
  test('is begun once for an issue, a person and a day, also by another process', async () => {
    const [one, other] = [nudgesOver(store), nudgesOver(await aStore(dataDir))];
    const begun = await Promise.all([one.begin(input('WEB-1')), other.begin(input('WEB-1'))]);
    expect(begun.map((obstacle) => obstacle?.kind ?? null).toSorted()).toEqual(['nudged', null]);
    expect(await one.begin(input('WEB-1', '2026-03-19'))).toBeNull();
    expect(await one.begin(input('WEB-2'))).toBeNull();
    expect(
      await one.begin(input('WEB-1', '2026-03-18', { person: { id: 'cleo', name: 'Cleo' } })),
    ).toBeNull();
    await other.withdraw(input('WEB-1'));
    expect(await one.begin(input('WEB-1'))).toBeNull();
  });

  test('is not begun until a snooze of the stay ends', async () => {
    const nudges = nudgesOver(store);
    await nudges.begin(input('WEB-1'));
    const end = NOON + 3 * millisecondsInDay;
    await nudges.answer(idOf('WEB-1'), 'U0BEN', { kind: 'snoozed', until: end });
    expect(await store.snoozes.get('U0BEN')).toEqual([
      { account: 'U0BEN', key: 'WEB-1', since: visit.since, until: end },
    ]);
    const [tomorrow, later] = [input('WEB-1', '2026-03-19'), input('WEB-1', '2026-03-21')];
    expect(await nudges.begin(tomorrow)).toEqual({ kind: 'snoozed', until: end });
    expect(await nudges.obstacleTo({ ...tomorrow, visit: { ...visit, since: NOON } })).toBeNull();
    clock.now = end;
    expect(await nudges.begin(later)).toBeNull();
  });

  test('is forgotten 90 days after it was sent, and not before', async () => {
    const nudges = nudgesOver(store);
    nudges.start(aNotifier().notifier);
    await nudges.begin(input('WEB-1'));
    for (const [days, count] of [
      [90, 1],
      [90 + 1, 0],
    ] as const) {
      clock.now = NOON + days * millisecondsInDay;
      await nudges.tick();
      expect(await store.nudges.list({})).toHaveLength(count);
    }
    await expect(nudges.received(idOf('WEB-1'), 'U0BEN')).rejects.toMatchObject({ reason: 'unknown-nudge' });
  });
});

describe('an answer', () => {
  test('is taken of the account that was asked alone, and the first one stays', async () => {
    const nudges = nudgesOver(store);
    await nudges.begin(input('WEB-1'));
    const answer = (account: string) => nudges.answer(idOf('WEB-1'), account, { kind: 'onIt' });
    for (const account of ['U0ADA', '', 'U0CLEO'])
      await expect(answer(account)).rejects.toMatchObject({ reason: 'unknown-nudge' });
    const both = await Promise.all([answer('U0BEN'), answer('U0BEN')]);
    expect(both.map(({ isNew }) => isNew).toSorted()).toEqual([false, true]);
    clock.now += 1;
    const late = await nudges.answer(idOf('WEB-1'), 'U0BEN', { kind: 'blocked', reason: 'the bank' });
    expect(late).toMatchObject({ isNew: false, nudge: { answer: { kind: 'onIt', at: NOON } } });
  });

  test('has a reason of 1 to 200 characters, in one line, or an end within 30 days', async () => {
    const nudges = nudgesOver(store);
    let count = 0;
    const isTaken = async (given: GivenAnswer) => {
      const key = `WEB-${++count}`;
      await nudges.begin(input(key));
      try {
        return (await nudges.answer(idOf(key), 'U0BEN', given)).nudge.answer;
      } catch (error) {
        if (error instanceof AppError && error.code === 'bad-request') return error.details.join(' ');
        throw error;
      }
    };
    await fc.assert(
      fc.asyncProperty(fc.string({ maxLength: 210 }), async (reason) => {
        const taken = await isTaken({ kind: 'blocked', reason });
        const line = reason.replaceAll(/\s+/g, ' ').trim();
        if (line.length >= 1 && line.length <= 200) expect(taken).toMatchObject({ reason: line });
        else expect(taken).toContain('Try: 1 to 200 characters.');
      }),
      { numRuns: 50 },
    );
    for (const [ms, ok] of [
      [0, false],
      [1, true],
      [30 * millisecondsInDay, true],
      [30 * millisecondsInDay + 1, false],
    ] as const) {
      const taken = await isTaken({ kind: 'snoozed', until: NOON + ms });
      if (ok) expect(taken).toMatchObject({ until: NOON + ms });
      else expect(taken).toContain('Try: a time in the future, at most 30 days from now.');
    }
  });

  test('is delivered once, by one of two processes', async () => {
    const [one, other] = [nudgesOver(store), nudgesOver(await aStore(dataDir))];
    const { delivered, notifier } = aNotifier();
    for (const nudges of [one, other]) nudges.start(notifier);
    for (const key of ['WEB-1', 'WEB-2', 'WEB-3']) {
      await one.begin(input(key));
      await other.answer(idOf(key), 'U0BEN', { kind: 'onIt' });
    }
    await Promise.all([one, other, one, other].map((nudges) => nudges.tick()));
    clock.now += 10 * millisecondsInMinute;
    await Promise.all([one, other].map((nudges) => nudges.tick()));
    expect(delivered).toEqual(['onIt', 'onIt', 'onIt']);
  });

  test('of a process that died is taken up once its lease is over, with what was tried', async () => {
    const [dead, other] = [nudgesOver(store), nudgesOver(await aStore(dataDir))];
    const never = aNotifier(() => new Promise(() => {}));
    dead.start(never.notifier);
    const { delivered, notes, notifier } = aNotifier();
    other.start(notifier);
    await dead.begin(input('WEB-1'));
    await dead.answer(idOf('WEB-1'), 'U0BEN', { kind: 'onIt' });
    dead.kick();
    await until(async () => (await store.nudges.get(idOf('WEB-1')))?.note.trying === 'direct');
    await other.tick();
    expect(delivered).toEqual([]);
    clock.now += 2 * millisecondsInMinute;
    await other.tick();
    expect([delivered, notes]).toEqual([['onIt'], [{ trying: 'direct' }]]);
    await dead.stop(0);
  });

  test('waits for what passes, for a day, and is given up after any other failure', async () => {
    const nudges = nudgesOver(store);
    let reason: 'slack-unavailable' | 'refused-by-slack' = 'slack-unavailable';
    const { delivered, notes, notifier } = aNotifier(async () => {
      throw new AppError(reason, 'Not now.');
    });
    nudges.start(notifier);
    const isWaiting = async (key: string) => !(await store.nudges.get(idOf(key)))?.isReturned;
    for (const key of ['WEB-1', 'WEB-2']) await nudges.begin(input(key));
    await nudges.answer(idOf('WEB-1'), 'U0BEN', { kind: 'onIt' });
    await nudges.tick();
    await nudges.tick();
    expect([notes.length, await isWaiting('WEB-1')]).toEqual([1, true]);
    clock.now += millisecondsInMinute;
    await nudges.tick();
    expect([notes.length, await isWaiting('WEB-1')]).toEqual([2, true]);
    clock.now += millisecondsInDay;
    await nudges.tick();
    expect([notes.length, await isWaiting('WEB-1')]).toEqual([3, false]);
    reason = 'refused-by-slack';
    await nudges.answer(idOf('WEB-2'), 'U0BEN', { kind: 'onIt' });
    await nudges.tick();
    expect([await isWaiting('WEB-2'), delivered]).toEqual([false, []]);
  });

  test('that waits when a restored database begins to post is not delivered', async () => {
    const nudges = nudgesOver(store);
    const { delivered, notifier } = aNotifier();
    await nudges.begin(input('WEB-1'));
    await nudges.answer(idOf('WEB-1'), 'U0BEN', { kind: 'onIt' });
    await nudges.startOver();
    nudges.start(notifier);
    await nudges.tick();
    expect(delivered).toEqual([]);
    expect((await nudges.reasonsFor(['WEB-1'], NOON)).get('WEB-1')?.kind).toBe('onIt');
  });
});

describe('the reasons of issues', () => {
  test('are the latest answers as of an instant, of the issues named', async () => {
    const nudges = nudgesOver(store);
    for (const key of ['WEB-1', 'WEB-2', 'WEB-3']) await nudges.begin(input(key));
    await nudges.begin(input('WEB-1', '2026-03-19'));
    await nudges.answer(idOf('WEB-1', '2026-03-19'), 'U0BEN', { kind: 'blocked', reason: 'the bank' });
    await nudges.answer(idOf('WEB-2'), 'U0BEN', { kind: 'onIt' });
    clock.now += 1000;
    await nudges.answer(idOf('WEB-1'), 'U0BEN', { kind: 'onIt' });
    const kindsAt = async (keys: readonly string[], asOf: number) =>
      [...(await nudges.reasonsFor(keys, asOf))].map(([key, { kind }]) => [key, kind]).toSorted();
    expect(await kindsAt(['WEB-1', 'WEB-2', 'WEB-3'], NOON + 1000)).toEqual([
      ['WEB-1', 'onIt'],
      ['WEB-2', 'onIt'],
    ]);
    expect(await kindsAt(['WEB-1'], NOON + 999)).toEqual([['WEB-1', 'blocked']]);
    expect(await kindsAt(['WEB-1', 'WEB-2'], NOON - 1)).toEqual([]);
    expect(await kindsAt([], NOON)).toEqual([]);
    expect((await nudges.reasonsFor(['WEB-1'], NOON)).get('WEB-1')).toEqual({
      ...{ key: 'WEB-1', person: { id: 'ben', name: 'Ben' }, visit, at: NOON },
      ...{ kind: 'blocked', reason: 'the bank' },
    });
  });

  test('count for one stay, and a snooze until its end', () => {
    const given = { key: 'WEB-1', person: { id: 'ben', name: 'Ben' }, visit, at: NOON };
    const blocked = { ...given, kind: 'blocked', reason: 'the bank' } as const;
    expect(countsIn(blocked, visit, NOON + millisecondsInDay)).toBe(true);
    expect(countsIn(blocked, { ...visit, since: NOON }, NOON)).toBe(false);
    expect(countsIn(blocked, { ...visit, statusId: '4' }, NOON)).toBe(false);
    const snoozed = { ...given, kind: 'snoozed', until: NOON + 5 } as const;
    expect([4, 5].map((ms) => countsIn(snoozed, visit, NOON + ms))).toEqual([true, false]);
  });
});

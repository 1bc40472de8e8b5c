import { millisecondsInDay } from 'date-fns/constants';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from '#jest';
import { createAudit } from '../../../src/api/audit/create-audit.ts';
import { AppError } from '../../../src/model/error.ts';
import type { Store, TenantStore } from '../../../src/store/store.ts';
import { principalOf } from '../../support/principal-of.ts';
import { storeEngine } from '../../support/store-engine.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const BEGIN = Date.parse('2026-03-18T12:00:00Z');
let now: number;
let opened: Store;
let store: TenantStore;
beforeEach(async () => {
  now = BEGIN;
  opened = await storeEngine.openStore(temporaryFolder(), { now: () => now });
  store = opened.forTenant('default');
});
afterEach(() => opened.close());

const log = pino({ level: 'silent' });
const aLog = (days = { changes: 2 as number | null, questions: 1 }, of: Pick<TenantStore, 'audit'> = store) =>
  createAudit({ store: { ...store, ...of }, withQuestions: true, days, now: () => now, log });

const actions = async () => (await store.audit.list({}, 99)).map(({ action }) => action);
const share = { subject: { kind: 'answer', id: 'r' }, verb: 'shared', facts: {} } as const;

test('entries are removed once they are older than they are kept, questions sooner', async () => {
  const audit = aLog();
  await audit.leaving(share);
  audit.questions.note('weekly', {});
  await audit.stop();
  expect(await audit.reach()).toMatchObject({ changes: BEGIN, questions: BEGIN });
  now += millisecondsInDay + 1_000;
  await audit.tick();
  expect(await actions()).toEqual(['answer.shared']);
  now += millisecondsInDay;
  await aLog({ changes: null, questions: 1 }).tick();
  expect(await actions()).toEqual(['answer.shared']);
  await aLog().tick();
  expect(await actions()).toEqual([]);
});

test('other settings of the log are an entry of the next start, the same ones are none', async () => {
  await aLog().start();
  await aLog().start();
  await aLog({ changes: null, questions: 1 }).start();
  const [first, second, ...more] = await store.audit.list({}, 9);
  expect(first).toMatchObject({ action: 'settings.created', facts: { AUDIT_DAYS: 2 } });
  expect(second).toMatchObject({
    action: 'settings.changed',
    facts: { changed: { AUDIT_DAYS: { from: 2, to: 0 } } },
  });
  expect(more).toEqual([]);
});

test('questions that cannot be written wait for the next batch', async () => {
  let isFull = true;
  const audit = aLog(undefined, {
    audit: {
      ...store.audit,
      add: async (...of) => {
        if (isFull) throw new AppError('store-unavailable', 'The disk is full.');
        await store.audit.add(...of);
      },
    },
  });
  audit.questions.note('weekly', {});
  await audit.stop();
  expect(await actions()).toEqual([]);
  isFull = false;
  audit.questions.note('aging', {});
  await audit.stop();
  expect((await store.audit.list({}, 9)).map(({ subject }) => subject)).toEqual(['weekly', 'aging']);
});

test('questions beyond those that can wait are counted in the log', async () => {
  const lines: string[] = [];
  let isFull = true;
  const { promise, resolve } = Promise.withResolvers<void>();
  const audit = createAudit({
    ...{ store, withQuestions: true, days: { changes: 2, questions: 1 }, now: () => now },
    store: {
      ...store,
      audit: {
        ...store.audit,
        async add() {
          if (!isFull) return;
          await promise;
          throw new AppError('store-unavailable', 'The disk is full.');
        },
      },
    },
    log: pino({}, { write: (line) => void lines.push(JSON.parse(line).lost) }),
  });
  for (let i = 0; i < 6_000; i += 1) audit.questions.note('weekly', {});
  const writing = audit.stop();
  for (let i = 0; i < 6_000; i += 1) audit.questions.note('aging', {});
  resolve();
  await writing;
  isFull = false;
  await audit.stop();
  expect(lines.filter((lost) => lost !== undefined)).toEqual([2_000]);
});

test('only admins can read it', async () => {
  await aLog().permit(principalOf('ops', 'admin'));
  await expect(aLog().permit(principalOf('ada'))).rejects.toMatchObject({
    reason: 'admin-only',
    details: [expect.stringContaining('Use a token of one: npx dwell token --user NAME --admin.')],
  });
});

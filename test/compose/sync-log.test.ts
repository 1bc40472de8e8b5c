import { expect, test } from '#jest';
import { createFillLog, createRoundLog } from '../../src/compose/sync-log.ts';
import type { SyncStatus } from '../../src/model/sync.ts';
import { aSync, filling } from '../support/stand-in-sync.ts';

function linesOf(statuses: readonly Partial<SyncStatus>[]): string[] {
  const lines: string[] = [];
  const log = createFillLog({ info: (_about: object, text?: string) => void lines.push(text ?? '') });
  for (const status of statuses) log({ ...filling, ...status });
  return lines;
}

test('a first fill is told once for each tenth of it, and at its end', () => {
  const some = [0, 2, 9, 10, 11, 19, 35, 36].map((percent) => ({ done: percent * 10, total: 1000 }));
  expect(linesOf([...some, aSync({ issues: 1004 }), aSync()])).toEqual([
    'initial sync: 0 of about 1,000 issues (0%)',
    'initial sync: 100 of about 1,000 issues (10%)',
    'initial sync: 350 of about 1,000 issues (35%)',
    'the initial sync is done: 1,004 issues',
  ]);
});

test('without an estimate it is told for each ten thousand issues', () => {
  const some = [0, 9_999, 10_000, 19_000, 31_000].map((done) => ({ done, total: null }));
  expect(linesOf(some)).toEqual([
    'initial sync: 0 issues so far',
    'initial sync: 10,000 issues so far',
    'initial sync: 31,000 issues so far',
  ]);
});

test('one that was done before is not told of', () => {
  expect(linesOf([aSync(), aSync()])).toEqual([]);
});

test('a check of the tracker is logged with what it has brought, and one without at the level debug', () => {
  const lines: (readonly [string, object])[] = [];
  const log = createRoundLog({
    info: (facts: object) => void lines.push(['info', facts]),
    debug: (facts: object) => void lines.push(['debug', facts]),
  });
  log({ added: 200, updated: 0, removed: 0 }, false);
  log({ added: 201, updated: 3, removed: 0 }, true);
  log({ added: 201, updated: 3, removed: 0 }, true);
  log({ added: 201, updated: 3, removed: 2 }, true);
  expect(lines).toEqual([
    ['info', { added: 1, updated: 3, removed: 0 }],
    ['debug', { added: 0, updated: 0, removed: 0 }],
    ['info', { added: 0, updated: 0, removed: 2 }],
  ]);
});

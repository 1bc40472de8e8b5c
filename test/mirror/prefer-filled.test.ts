import { expect, test } from '@jest/globals';
import { createStoreMirror } from '../../src/mirror/create-store-mirror.ts';
import { preferFilled } from '../../src/mirror/prefer-filled.ts';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts';
import { anIssue } from '../support/issue-story.ts';
import { temporaryFolder } from '../support/start-dwell.ts';

test('preferFilled turns to the first mirror as soon as it has been filled, not before', async () => {
  const store = openSqliteStore(temporaryFolder());
  const [imported, sample] = [store.issues('file'), store.issues('sample')];
  const mirror = preferFilled(createStoreMirror('file', imported), createStoreMirror('sample', sample));
  const replace = <One>(_: One, incoming: One) => incoming;
  await sample.putIssues([anIssue('DEMO-1', '2026-03-02T09:00:00Z').issue], replace);
  await imported.putIssues([anIssue('REAL-1', '2026-03-02T09:00:00Z').issue], replace);

  expect([await mirror.tracker(), await mirror.recentKeys(5)]).toEqual(['sample', ['DEMO-1']]);
  expect(await mirror.issue('REAL-1')).toBeNull();

  await imported.putFilledAt(Date.parse('2026-03-18T12:00:00Z'));
  expect([await mirror.tracker(), await mirror.recentKeys(5)]).toEqual(['file', ['REAL-1']]);
  expect(await mirror.filledAt()).toBe(Date.parse('2026-03-18T12:00:00Z'));
  expect((await mirror.issue('real-1'))?.key).toBe('REAL-1');
  expect([(await mirror.statuses()).size, (await mirror.users()).size]).toEqual([0, 0]);
  store.close();
});

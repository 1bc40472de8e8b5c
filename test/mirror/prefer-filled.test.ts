import { expect, test } from '#jest';
import { createStoreMirror, preferFilled } from '../../src/mirror/create-mirrors.ts';

import { anIssue } from '../support/issue-story.ts';
import { openTestStore } from '../support/open-test-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('preferFilled turns to the first mirror as soon as it has been filled, not before', async () => {
  const store = await openTestStore(temporaryFolder());
  const [imported, sample] = [store.issues('file'), store.issues('sample')];
  const chosen = preferFilled(createStoreMirror('file', imported), createStoreMirror('sample', sample));
  const replace = <One>(_: One, incoming: One) => incoming;
  await sample.putIssues([anIssue('DEMO-1', '2026-03-02T09:00:00Z').issue], replace);
  await imported.putIssues([anIssue('REAL-1', '2026-03-02T09:00:00Z').issue], replace);

  const before = await chosen();
  expect([await before.tracker(), await before.recentKeys(5)]).toEqual(['sample', ['DEMO-1']]);

  await imported.putFilledAt(Date.parse('2026-03-18T12:00:00Z'));
  const after = await chosen();
  expect([await after.tracker(), await after.recentKeys(5)]).toEqual(['file', ['REAL-1']]);
  expect([await before.tracker(), await before.issue('REAL-1')]).toEqual(['sample', null]);
  store.close();
});

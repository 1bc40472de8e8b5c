import fc from 'fast-check';
import { expect, test } from '#jest';
import type { Issue } from '../../src/model/issue.ts';
import { anIssue } from '../support/issue-story.ts';
import { openTestStore, type TestStore } from '../support/open-test-store.ts';
import { runs } from '../support/soak.ts';
import { storeEngine } from '../support/store-engine.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const keys = ['DEMO-1', 'DEMO-2', 'WEB-1', 'WEB-2', 'OPS-1'] as const;
const aKey = fc.constantFrom(...keys);

/** An issue that may have an id, may have had other keys, may have been created at another time, and has some status. */
const aTelling = fc
  .record({
    key: aKey,
    id: fc.option(fc.constantFrom('1', '2', '3'), { nil: undefined }),
    moved: fc.array(fc.record({ from: aKey, to: aKey }), { maxLength: 2 }),
    day: fc.constantFrom('02', '03'),
    status: fc.constantFrom('To Do', 'Doing', 'Done'),
  })
  .map(({ key, id, moved, day, status }): Issue => {
    const story = moved.reduce(
      (story, { from, to }) => story.changes('Key', from, to, '2026-03-05T09:00:00Z'),
      anIssue(key, `2026-03-${day}T09:00:00Z`, status),
    );
    return { ...story.issue, ...(id === undefined ? {} : { id }) };
  });

/** The later one, with the id that either has. */
const merge = (stored: Issue, incoming: Issue): Issue => ({
  ...incoming,
  ...(incoming.id === undefined && stored.id !== undefined ? { id: stored.id } : {}),
});

/** All that can be read of the issues of a store. */
async function readAll(store: TestStore) {
  const issues = store.issues('jira');
  const { issues: changed, removed, revision } = await issues.changedSince(0, 1_000);
  const byKey = await Promise.all(keys.map((key) => issues.issue(key)));
  return {
    changed: changed.map(({ issue }) => ({ ...issue })),
    removed,
    revision,
    byKey: byKey.map((issue) => issue && { ...issue }),
    former: [...(await issues.formerKeys())].sort(),
    byNumber: await issues.issuesAfter(0, 1_000, (some) => some.map(({ issue }) => issue.key)),
    kept: [...(await store.sync('jira').kept(['1', '2', '3']))].sort(),
    count: await issues.count(),
  };
}

test('issues that are put together are kept as those that are put one after the other', async () => {
  const dataDir = temporaryFolder();
  let run = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(aTelling, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 4 }),
      async (batches) => {
        run += 1;
        const [together, single] = [
          await openTestStore(dataDir, undefined, `together-${run}`),
          await openTestStore(dataDir, undefined, `single-${run}`),
        ];
        try {
          for (const batch of batches) {
            const results = await together.issues('jira').putIssues(batch, merge);
            const apart = [];
            for (const issue of batch) apart.push(...(await single.issues('jira').putIssues([issue], merge)));
            expect(results.map(({ issue, changed }) => [{ ...issue }, changed])).toEqual(
              apart.map(({ issue, changed }) => [{ ...issue }, changed]),
            );
            expect(await readAll(together)).toEqual(await readAll(single));
          }
        } finally {
          together.close();
          single.close();
        }
      },
    ),
    // Single writes are round trips there.
    { numRuns: runs(storeEngine.name === 'postgres' ? 60 : 150) },
  );
});

test('a key an issue had before is known to other processes too, once the same issue is put again', async () => {
  const dataDir = temporaryFolder();
  const [one, other] = [await openTestStore(dataDir), await openTestStore(dataDir)];
  const moved = anIssue('NEW-1', '2026-03-02T09:00:00Z').changes(
    'Key',
    'OLD-1',
    'NEW-1',
    '2026-03-03T09:00:00Z',
  );
  const put = () => one.issues('jira').putIssues([moved.issue], merge);
  await put();
  // As a version left it that did not read such keys.
  const engine = await storeEngine.openEngine(dataDir);
  await engine.write(({ db }) => db.deleteFrom('issue_former_key').execute());
  engine.close();
  const keyAt = async (store: TestStore) => (await store.issues('jira').issue('OLD-1'))?.key;
  await new Promise(setImmediate);
  expect(await keyAt(other)).toBeUndefined();
  expect(await put()).toMatchObject([{ changed: false }]);
  expect([await keyAt(one), await keyAt(other)]).toEqual(['NEW-1', 'NEW-1']);
  expect(await put()).toMatchObject([{ changed: false }]);
  await Promise.all([one, other].map((store) => store.close()));
});

import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '#jest';
import { fill } from '../../src/mirror/fill.ts';
import type { TrackerIssues } from '../../src/mirror/lists/tracker-issues.ts';
import type { FieldName } from '../../src/model/directory.ts';
import type { Issue } from '../../src/model/issue.ts';
import type { Tracker, TrackerEntry } from '../../src/trackers/tracker.ts';
import { anIssue } from '../support/issue-story.ts';
import { openTestStore, type TestStore } from '../support/open-test-store.ts';
import { runs } from '../support/soak.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let store: TestStore;
let trackers = 0;
let issues: TrackerIssues;
beforeAll(async () => {
  store = await openTestStore(temporaryFolder());
});
afterAll(() => store.close());
const emptyStore = () => {
  trackers += 1;
  return store.issues(`tracker ${trackers}`);
};
beforeEach(() => {
  issues = emptyStore();
});

async function imported(into: TrackerIssues, entries: readonly TrackerEntry[]) {
  const tracker: Tracker = {
    name: 'file',
    async *entries() {
      yield* entries;
    },
  };
  return fill(tracker, into, () => 0);
}

/** The number of stored issues that an import reads. */
async function readsOf(...entries: TrackerEntry[]) {
  let reads = 0;
  await imported(
    {
      ...issues,
      async changedSince(...from) {
        const chunk = await issues.changedSince(...from);
        reads += chunk.issues.length;
        return chunk;
      },
    },
    entries,
  );
  return reads;
}

const issueEntry = (issue: Issue): TrackerEntry => ({ kind: 'issue', issue });
const one = (key: string) => issueEntry(anIssue(key, '2026-03-02T09:00:00Z').issue);
const many = (count: number) => Array.from({ length: count }, (_, i) => one(`DEMO-${i + 1}`));
/** An issue that had a value of a field, and no fields now. */
const changing = (key: string, field: string, from = '5'): Issue => ({
  ...anIssue(key, '2026-03-02T09:00:00Z').changes(field, from, null, '2026-03-03T09:00:00Z').issue,
  fields: {},
});
const titled = (id: number, name: string, list?: FieldName['list']): TrackerEntry => ({
  kind: 'directory',
  part: { fields: [{ id: `customfield_${id}`, name, ...(list === undefined ? {} : { list }) }] },
});
const points = titled(1, 'Points');
const firstChange = async (key: string) => (await issues.issue(key))?.changes[0];

describe('an import that brings a field', () => {
  const estimated = [...many(400), issueEntry(changing('DEMO-401', 'Points'))];

  test.each([
    ['a title that no change was recorded under', titled(2, 'Team')],
    ['a title in place of another one', titled(1, 'Team')],
    ['the title of another field, so that it leads nowhere now', titled(2, 'Points')],
    ['a kind, and values of which no history has', titled(2, 'Team', 'words')],
  ])('with %s reads none of the stored issues', async (_, field) => {
    await imported(issues, [points, ...estimated]);
    expect(await readsOf(field, one('NEW-1'))).toBe(0);
    expect(await readsOf(titled(3, 'Squad'), one('NEW-2'))).toBe(0);
    expect((await firstChange('DEMO-401'))?.field).toBe('customfield_1');
  });

  test('with a title that a change was recorded under puts it right, whatever came between', async () => {
    await imported(issues, estimated);
    expect(await readsOf(titled(2, 'Team'), one('NEW-1'))).toBe(0);
    expect(await readsOf(points, one('NEW-2'))).toBe(403);
    expect((await firstChange('DEMO-401'))?.field).toBe('customfield_1');
    expect(await readsOf(titled(3, 'Squad'), one('NEW-3'))).toBe(0);
  });

  test('called like a field of every site puts right what the changelog says of the custom one', async () => {
    await imported(issues, [issueEntry(changing('DEMO-1', 'Labels (custom)')), ...many(9).slice(1)]);
    expect(await readsOf(titled(2, 'Team'))).toBe(0);
    expect(await readsOf(titled(1, 'Labels'), titled(4, 'labels'))).toBe(9);
    expect((await firstChange('DEMO-1'))?.field).toBe('customfield_1');
  });

  test('with a kind puts the histories right that have values of it', async () => {
    await imported(issues, [issueEntry(changing('DEMO-1', 'customfield_2', 'b a'))]);
    expect(await readsOf(titled(2, 'Crew', 'words'))).toBe(1);
    expect((await firstChange('DEMO-1'))?.from).toMatchObject({ name: 'a, b' });
  });

  test('reads issues of which another import did not store its facts, and those alone', async () => {
    await imported(issues, many(400));
    await issues.putIssues(
      ['DEMO-7', 'DEMO-401'].map((key) => changing(key, 'Points')),
      (_, incoming) => incoming,
    );
    expect(await readsOf(titled(2, 'Team'), one('NEW-1'))).toBe(3);
    expect(await readsOf(titled(3, 'Squad'), one('NEW-2'))).toBe(0);
    expect(await readsOf(points)).toBe(403);
    expect((await firstChange('DEMO-7'))?.field).toBe('customfield_1');
  });

  test('or an option reads the stored issues only where one of them lacks it', async () => {
    const option = (id: string) => ({ id, name: `Option ${id}` });
    const withOption = (number: number, id: string, former: string): TrackerEntry => {
      const issue = changing(`DEMO-${number}`, 'customfield_1', former);
      return issueEntry({ ...issue, fields: { customfield_1: [option(id)] } });
    };
    await readsOf(withOption(1, '1', 'Option 2'));
    expect((await firstChange('DEMO-1'))?.from).toEqual({ id: 'Option 2', name: 'Option 2' });
    expect(await readsOf(withOption(2, '1', 'Option 1'))).toBe(0);
    expect((await firstChange('DEMO-2'))?.from).toEqual(option('1'));
    expect(await readsOf(withOption(3, '2', 'Option 2'))).toBeGreaterThan(0);
    expect((await firstChange('DEMO-1'))?.from).toEqual(option('2'));
    expect(await readsOf(withOption(4, '2', 'Option 2'))).toBe(0);
  });

  test('reads all where an earlier version stored the facts', async () => {
    await imported(issues, estimated);
    const { titles, seenTo, ...earlier } = JSON.parse((await issues.historyValues()) ?? '');
    expect([titles, seenTo]).toEqual([['Points'], 401]);
    await issues.putHistoryValues(JSON.stringify(earlier));
    expect(await readsOf(points)).toBe(401);
    expect((await firstChange('DEMO-401'))?.field).toBe('customfield_1');
  });

  test('reads all where changelogs have too many titles to remember', async () => {
    const { changes, ...issue } = changing('DEMO-1', 'Points');
    const [change] = changes;
    if (change === undefined) throw new Error('There is no change.');
    const others = Array.from({ length: 10_000 }, (_, i) => ({ ...change, item: i, field: `Field ${i}` }));
    await imported(issues, [issueEntry({ ...issue, changes: [...others, change] })]);
    expect(await readsOf(titled(2, 'Team'))).toBe(1);
    expect(await readsOf(points)).toBe(1);
    expect((await issues.issue('DEMO-1'))?.changes.at(-1)?.field).toBe('customfield_1');
  });
});

/** What comes in one import, or is written by one that did not store its facts. */
interface Arrival {
  readonly kind: 'import' | 'unlearnt';
  readonly entries: readonly TrackerEntry[];
}

const names = ['Points', 'Team', 'Labels', 'Crew'] as const;
const aField = fc
  .record({
    id: fc.integer({ min: 1, max: 4 }),
    name: fc.constantFrom(...names),
    list: fc.constantFrom(undefined, undefined, 'words', 'names'),
  })
  .map(({ id, name, list }) => titled(id, name, list));
const anOption = fc.constantFrom('1', '2', '3').map((id) => ({ id, name: `Option ${id}` }));
const aValue = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('Option 1', 'Option 2', 'Option 3', 'b a', '[x, y]', 'a') },
  fc.constantFrom('Option 1, Option 2', 'Option 3, Option 1'),
);
const recorded = [...names, 'Labels (custom)', ...names.map((_, i) => `customfield_${i + 1}`)];
const anArrivingIssue = fc
  .record({
    number: fc.integer({ min: 1, max: 12 }),
    updated: fc.nat(20),
    contents: fc.array(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.array(anOption, { maxLength: 2 })), {
      maxLength: 2,
    }),
    changes: fc.array(fc.tuple(fc.constantFrom(...recorded), aValue), { maxLength: 4 }),
  })
  .map(({ number, updated, contents, changes }): TrackerEntry => {
    let story = anIssue(`DEMO-${number}`, '2026-03-02T09:00:00Z');
    for (const [field, from] of changes) story = story.changes(field, from, null, '2026-03-03T09:00:00Z');
    const { issue } = story;
    const { summary = null, status = null } = issue.fields;
    const own = Object.fromEntries(contents.map(([id, content]) => [`customfield_${id}`, content]));
    return issueEntry({ ...issue, updated: issue.updated + updated, fields: { summary, status, ...own } });
  });
const anArrival: fc.Arbitrary<Arrival> = fc.record({
  kind: fc.constantFrom('import', 'import', 'import', 'unlearnt'),
  entries: fc.array(fc.oneof(aField, { weight: 2, arbitrary: anArrivingIssue }), { maxLength: 8 }),
});

/** The stored issues after all imports; `plainly`: each import that brings something new of fields reads all. */
async function storedAfter(arrivals: readonly Arrival[], plainly: boolean): Promise<readonly Issue[]> {
  const into = emptyStore();
  for (const { kind, entries } of arrivals) {
    if (kind === 'import') await imported(into, entries);
    else {
      const arriving = entries.flatMap((entry) => (entry.kind === 'issue' ? [entry.issue] : []));
      await into.putIssues(arriving, (_, incoming) => incoming);
    }
    const text = await into.historyValues();
    if (plainly && text !== null)
      await into.putHistoryValues(JSON.stringify({ ...JSON.parse(text), seenTo: 0 }));
  }
  const { issues: stored } = await into.changedSince(0, 1000);
  return stored.map(({ issue }) => issue).sort((a, b) => a.key.localeCompare(b.key));
}

test('issues are stored as if each import that brings something new of fields read all of them', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anArrival, { minLength: 2, maxLength: 7 }), async (arrivals) => {
      expect(await storedAfter(arrivals, false)).toEqual(await storedAfter(arrivals, true));
    }),
    { numRuns: runs(150) },
  );
});

/** A field of each title, and nothing that two imports would know otherwise than one. */
const theFields = names.map((name, i) => titled(i + 1, name));

test('issues and titles of fields are stored alike, in whatever order and however many imports they come', async () => {
  const aChange = fc.tuple(fc.constantFrom(...recorded), fc.constantFrom('Option 1', 'Option 2', 'Option 3'));
  const anIssueOfOptions = fc.record({
    changes: fc.array(aChange, { maxLength: 4 }),
    contents: fc.array(fc.tuple(fc.integer({ min: 1, max: 4 }), anOption), { maxLength: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(anIssueOfOptions, { minLength: 1, maxLength: 8 }).chain((some) => {
        const arriving = some.map(({ changes, contents }, i) => {
          let story = anIssue(`DEMO-${i}`, '2026-03-02T09:00:00Z');
          for (const [field, from] of changes)
            story = story.changes(field, from, null, '2026-03-03T09:00:00Z');
          const own = Object.fromEntries(contents.map(([id, option]) => [`customfield_${id}`, [option]]));
          return issueEntry({ ...story.issue, fields: own });
        });
        const all = [...arriving, ...theFields];
        return fc.record({
          all: fc.constant(all),
          ordered: fc.shuffledSubarray(all, { minLength: all.length }),
          size: fc.integer({ min: 1, max: 6 }),
        });
      }),
      async ({ all, ordered, size }) => {
        const arrivals = Array.from({ length: Math.ceil(ordered.length / size) }, (_, i) => ({
          ...{ kind: 'import' as const, entries: ordered.slice(i * size, (i + 1) * size) },
        }));
        const inOne = await storedAfter([{ kind: 'import', entries: all }], false);
        expect(await storedAfter(arrivals, false)).toEqual(inOne);
      },
    ),
    { numRuns: runs(75) },
  );
});

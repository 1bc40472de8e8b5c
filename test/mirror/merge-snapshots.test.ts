import { millisecondsInHour } from 'date-fns/constants';
import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import { mergeSnapshots, preferNewer } from '../../src/mirror/merge-snapshots.ts';
import type { Change, History, Instant, Issue } from '../../src/model/issue.ts';
import { runs } from '../support/soak.ts';

const CREATED = Date.parse('2026-03-02T09:00:00Z');

/** The hour of each change of an issue's whole story. */
type Story = readonly number[];

interface Export {
  /** How many changes had happened when it was taken. */
  readonly seen: number;
  readonly keeps: 'all' | 'the newest' | 'the oldest' | 'some';
  readonly count: number;
}

const status = (step: number) => ({ id: `${step}`, name: `Status ${step}` });

function changesOf(story: Story, withIds: boolean): Change[] {
  return story.map((hour, i) => ({
    entry: withIds ? `${i + 1}` : '',
    item: 0,
    at: CREATED + hour * millisecondsInHour,
    field: 'status',
    from: status(i),
    to: status(i + 1),
    by: null,
  }));
}

/** The issue as in an export of that instant. */
function snapshot(story: Story, { seen, keeps, count }: Export, withIds = true): Issue {
  const happened = changesOf(story, withIds).slice(0, seen);
  const stored = {
    all: happened,
    'the newest': happened.slice(Math.max(0, happened.length - count)),
    'the oldest': happened.slice(0, count),
    some: happened.slice(1, 1 + count),
  }[keeps];
  return {
    key: 'DEMO-1',
    project: { id: 'DEMO', name: 'Demonstration' },
    summary: `As of change ${happened.length}`,
    created: CREATED,
    updated: happened.at(-1)?.at ?? CREATED,
    resolved: null,
    status: status(happened.length),
    assignee: null,
    fields: { status: status(happened.length) },
    changes: stored,
    history: stored.length === happened.length ? { complete: true } : cut(keeps, stored),
  };
}

function cut(keeps: Export['keeps'], stored: readonly Change[]): History {
  const [oldest = null, newest = null] = [stored[0]?.at, stored.at(-1)?.at];
  const unknown = { unknownFrom: null, unknownUntil: null, reason: 'cut' };
  if (keeps === 'the newest') return { complete: false, ...unknown, unknownUntil: oldest };
  if (keeps === 'the oldest') return { complete: false, ...unknown, unknownFrom: newest };
  return { complete: false, ...unknown };
}

function isKnown({ history }: Issue, at: Instant): boolean {
  if (history.complete) return true;
  return (
    at <= (history.unknownFrom ?? CREATED) || (history.unknownUntil !== null && at >= history.unknownUntil)
  );
}

const aStory: fc.Arbitrary<Story> = fc
  .uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 10 })
  .map((hours) => hours.toSorted((a, b) => a - b));
const anExport: fc.Arbitrary<Export> = fc.record({
  seen: fc.integer({ min: 0, max: 10 }),
  keeps: fc.constantFrom('all', 'the newest', 'the oldest', 'some'),
  count: fc.integer({ min: 0, max: 10 }),
});
const whole = anExport.map((one): Export => ({ ...one, keeps: 'all' }));
const byTime = (changes: readonly Change[]) => changes.toSorted((a, b) => a.at - b.at);

describe('mergeSnapshots', () => {
  test('of two whole snapshots does not depend on which came first', () =>
    fc.assert(
      fc.property(aStory, whole, whole, fc.boolean(), (story, a, b, withIds) => {
        const [first, second] = [snapshot(story, a, withIds), snapshot(story, b, withIds)];
        expect(mergeSnapshots(first, second)).toEqual(mergeSnapshots(second, first));
      }),
    ));

  test('takes the fields from the fresher snapshot, whichever came first', () =>
    fc.assert(
      fc.property(aStory, anExport, anExport, (story, a, b) => {
        const [first, second] = [snapshot(story, a), snapshot(story, b)];
        const fresher = first.updated > second.updated ? first : second;
        for (const merged of [mergeSnapshots(first, second), mergeSnapshots(second, first)]) {
          expect(merged.updated).toBe(fresher.updated);
          expect(merged.summary).toBe(fresher.summary);
          expect(merged.fields).toEqual(fresher.fields);
        }
      }),
    ));

  test('loses no change that either snapshot knows, and repeats none, with ids and without', () =>
    fc.assert(
      fc.property(aStory, anExport, anExport, fc.boolean(), (story, a, b, withIds) => {
        const [first, second] = [snapshot(story, a, withIds), snapshot(story, b, withIds)];
        const known = new Set([...first.changes, ...second.changes].map(({ at }) => at));
        const merged = byTime(mergeSnapshots(first, second).changes);
        expect(merged).toEqual(changesOf(story, withIds).filter(({ at }) => known.has(at)));
      }),
    ));

  test('holds no time for known of which a change is missing', () =>
    fc.assert(
      fc.property(aStory, anExport, anExport, anExport, (story, a, b, c) => {
        const merged = [b, c].map((one) => snapshot(story, one)).reduce(mergeSnapshots, snapshot(story, a));
        const truth = changesOf(story, true).filter(({ at }) => at <= merged.updated && isKnown(merged, at));
        expect(byTime(merged.changes.filter(({ at }) => isKnown(merged, at)))).toEqual(truth);
      }),
      { numRuns: runs(1000) },
    ));

  test('keeps what was completely known complete, however little a later or earlier export has', () =>
    fc.assert(
      fc.property(aStory, whole, anExport, (story, a, b) => {
        const complete = snapshot(story, a);
        const merged = mergeSnapshots(complete, snapshot(story, b));
        for (let at = CREATED; at <= complete.updated; at += millisecondsInHour)
          expect(isKnown(merged, at)).toBe(true);
        if (merged.updated === complete.updated) expect(merged.history).toEqual({ complete: true });
      }),
    ));

  test('changes nothing when the same snapshot comes again', () =>
    fc.assert(
      fc.property(aStory, anExport, anExport, (story, a, b) => {
        const merged = mergeSnapshots(snapshot(story, a), snapshot(story, b));
        expect(mergeSnapshots(merged, snapshot(story, b))).toEqual(merged);
      }),
    ));
});

describe('two cut snapshots', () => {
  const story = [1, 2, 3, 4, 5];
  const at = (hour: number) => CREATED + hour * millisecondsInHour;

  test('of the same moment make a whole one when one has the oldest and one the newest entries', () => {
    const oldest = snapshot(story, { seen: 5, keeps: 'the oldest', count: 3 });
    const newest = snapshot(story, { seen: 5, keeps: 'the newest', count: 3 });
    for (const merged of [mergeSnapshots(oldest, newest), mergeSnapshots(newest, oldest)]) {
      expect(merged.history).toEqual({ complete: true });
      expect(byTime(merged.changes)).toEqual(changesOf(story, true));
    }
  });

  test('that overlap know all the time that either knows', () => {
    const earlier = snapshot(story, { seen: 4, keeps: 'the newest', count: 3 });
    const later = snapshot(story, { seen: 5, keeps: 'the newest', count: 2 });
    expect(mergeSnapshots(earlier, later).history).toMatchObject({ unknownFrom: null, unknownUntil: at(2) });
  });

  test('with a gap in between leave just the gap unknown', () => {
    const earlier = snapshot(story, { seen: 2, keeps: 'all', count: 0 });
    const later = snapshot(story, { seen: 5, keeps: 'the newest', count: 2 });
    expect(mergeSnapshots(earlier, later).history).toEqual({
      complete: false,
      unknownFrom: at(2),
      unknownUntil: at(4),
      reason: 'cut',
    });
  });
});

test('an issue that was given an old key anew has no part in the old issue’s history', () => {
  const old = snapshot([1, 2], { seen: 2, keeps: 'all', count: 0 });
  const anew = {
    ...snapshot([1, 2, 3], { seen: 3, keeps: 'the newest', count: 1 }),
    created: CREATED + 9 * millisecondsInHour,
  };
  expect(mergeSnapshots(old, { ...anew, updated: CREATED + 12 * millisecondsInHour })).toMatchObject({
    changes: anew.changes,
    history: anew.history,
  });
});

describe('fields that decide who may see an issue', () => {
  const secret = { id: '10700', name: 'Confidential' };
  const eve = { id: 'eve', name: 'Eve' };
  const older = snapshot([1, 2], { seen: 1, keeps: 'all', count: 0 });
  const fresher = snapshot([1, 2], { seen: 2, keeps: 'all', count: 0 });
  const cutFresher = snapshot([1, 2], { seen: 2, keeps: 'the newest', count: 1 });
  const having = (issue: Issue, fields: Issue['fields']): Issue => ({
    ...issue,
    fields: { ...issue.fields, ...fields },
  });
  const bothWays = (a: Issue, b: Issue) =>
    [mergeSnapshots(a, b), mergeSnapshots(b, a)].map(({ fields }) => fields);

  test.each([
    ['whole', fresher],
    ['cut', cutFresher],
  ])('stay as they were where the fresher export, with a %s history, lacks them', (_, fresh) => {
    const stored = { ...fresh.fields, security: secret, reporter: eve };
    const known = having(older, { security: secret, reporter: eve });
    expect(bothWays(known, fresh)).toEqual([stored, stored]);
  });

  test.each([
    ['none', null],
    ['another', { id: '10800', name: 'Board' }],
  ])('are %s when the fresher export says so', (_, content) => {
    const known = having(older, { security: secret, reporter: eve });
    const fresh = having(fresher, { security: content, reporter: content });
    expect(bothWays(known, fresh)).toEqual([fresh.fields, fresh.fields]);
  });

  test('stay one without the other, also when they were empty', () => {
    const known = having(older, { security: null, reporter: eve });
    const fresh = having(fresher, { reporter: null });
    const stored = { ...fresh.fields, security: null };
    expect(bothWays(known, fresh)).toEqual([stored, stored]);
  });

  test('are the only ones that stay: another field that was not exported is gone', () => {
    const known = having(older, { customfield_1: 5 });
    expect(bothWays(known, fresher)).toEqual([fresher.fields, fresher.fields]);
  });

  test('are those of another snapshot of the same update where an earlier Dwell did not read them', () => {
    const roles = [{ id: 'projectrole 10002', name: 'projectrole 10002' }];
    const unread = having(fresher, { issuerestriction: null });
    const read = having(fresher, { issuerestriction: roles });
    expect(bothWays(unread, read)).toEqual([read.fields, read.fields]);
    const before = having(older, { issuerestriction: [] });
    expect(bothWays(unread, before)).toEqual([unread.fields, unread.fields]);
    expect(bothWays(before, fresher)).toEqual(
      [before, before].map(() => ({ ...fresher.fields, issuerestriction: [] })),
    );
  });

  test('are not those of another issue that had the key before', () => {
    const anew = { ...fresher, created: CREATED + millisecondsInHour };
    expect(mergeSnapshots(having(older, { security: secret }), anew)).toEqual(anew);
  });
});

test('a whole history does not pass for that of a status it does not lead to, whatever the update says', () => {
  const stored = snapshot([1, 2], { seen: 1, keeps: 'all', count: 0 });
  const moved = snapshot([1, 2], { seen: 2, keeps: 'the oldest', count: 0 });
  const updated = { updated: stored.updated, fields: { ...moved.fields, updated: stored.updated } };
  const isCut = { complete: false, unknownFrom: null, unknownUntil: null, reason: 'refused' } as const;
  const incoming = { ...moved, ...updated, id: '7', history: isCut };
  const before = { ...stored, id: '7', fields: { ...stored.fields, updated: stored.updated } };
  expect(preferNewer(before, incoming, true)).toMatchObject({
    status: moved.status,
    changes: stored.changes,
    history: { complete: false, unknownFrom: stored.updated, unknownUntil: null, reason: 'refused' },
  });
  // Nothing has moved: what is whole stays beside what is cut.
  const same = { ...incoming, status: stored.status, assignee: stored.assignee };
  expect(preferNewer(before, same, true).history).toEqual({ complete: true });
});

import { millisecondsInHour } from 'date-fns/constants';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from '#jest';
import { createSync } from '../../../src/mirror/sync/create-sync.ts';
import { AppError } from '../../../src/model/error.ts';
import type { Issue } from '../../../src/model/issue.ts';
import { noSignals } from '../../../src/store/store.ts';
import type { LiveTracker } from '../../../src/trackers/live-tracker.ts';
import { type LivingTracker, livingTracker } from '../../support/living-tracker.ts';
import { openTestStore, type TestStore } from '../../support/open-test-store.ts';
import { runs } from '../../support/soak.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { waitForStop } from '../../support/wait-for-stop.ts';

let store: TestStore;
let trackers = 0;
beforeAll(async () => {
  store = await openTestStore(temporaryFolder());
});
afterAll(() => store.close());

const usualKinds = ['create', 'create', 'change', 'change', 'change', 'move', 'remove', 'rest'] as const;
const oddKinds = ['spoil', 'heal', 'fail', 'archive', 'restore'] as const;
type Kind = (typeof usualKinds | typeof oddKinds)[number];

/** An event: `which` chooses the issue, `after` is the time (ms) since the one before. */
const aHappening = (more: readonly Kind[]) =>
  fc.record({
    kind: fc.constantFrom<Kind[]>(...usualKinds, ...more),
    which: fc.nat(1000),
    after: fc.constantFrom(0, 1, 900, 40_000, 400_000),
  });
type Happening = ReturnType<typeof aHappening> extends fc.Arbitrary<infer One> ? One : never;

/** The end of a process after some calls of the store or the tracker; `wish` is its project, null: all. */
const anEnd = (wishes: readonly (string | null)[]) =>
  fc.record({
    wish: fc.constantFrom(null, ...wishes),
    calls: fc.integer({ min: 1, max: 80 }),
    how: fc.constantFrom(...(['killed before', 'killed after', 'refused'] as const)),
  });
type End = ReturnType<typeof anEnd> extends fc.Arbitrary<infer One> ? One : never;

/** Stories with these kinds of events, in which processes wish for one of these projects. */
function stories(more: readonly Kind[], wishes: readonly string[]) {
  return fc.record({
    atFirst: fc.integer({ min: 0, max: 25 }),
    /** What happens before each answer, until there is no more. */
    meanwhile: fc.array(fc.array(aHappening(more), { maxLength: 3 }), { maxLength: 60 }),
    /** How each process comes to its end. */
    ends: fc.array(anEnd(wishes), { maxLength: 6 }),
    /** What the last one wishes for. */
    wish: fc.constantFrom(null, ...wishes),
    aheadMs: fc.constantFrom(0, 600_000, -600_000),
    lagMs: fc.constantFrom(0, 2000, 240_000, 1_200_000),
    pageSize: fc.integer({ min: 1, max: 6 }),
  });
}

type Story = ReturnType<typeof stories> extends fc.Arbitrary<infer One> ? One : never;
const OVERLAP_MS = 300_000;
const projects = ['DEMO', 'WEB', 'OPS'];

function happen(tracker: LivingTracker, { kind, which }: Happening): void {
  const project = projects[which % projects.length] ?? 'DEMO';
  const ids = [...tracker.kept.keys()];
  const id = ids[which % Math.max(1, ids.length)] ?? '';
  if (kind === 'create') tracker.create(project);
  if (kind === 'change') tracker.change(id);
  if (kind === 'move') tracker.move(id, project);
  if (kind === 'remove') tracker.remove(id);
  if (kind === 'spoil') tracker.spoil(id, true);
  if (kind === 'fail') tracker.fail(id, true);
  if (kind === 'heal') heal(tracker, [id]);
  if (kind === 'archive') tracker.archive(id);
  if (kind === 'restore') tracker.restore(id);
}

function heal(tracker: LivingTracker, ids: Iterable<string>): void {
  for (const id of ids) {
    tracker.spoil(id, false);
    tracker.fail(id, false);
  }
}

class Killed extends Error {}

/** Lets the calls of a process through up to its end. */
function mortal(end: End | null) {
  let left = end?.calls ?? Number.POSITIVE_INFINITY;
  return <Port extends object>(port: Port): Port =>
    new Proxy(port, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function' || name === 'requests' || name === 'lists') return member;
        return async (...input: readonly unknown[]) => {
          left -= 1;
          if (end?.how === 'refused') {
            if (left === 0) throw new AppError('service-unavailable', 'Not now.');
            return Reflect.apply(member, target, input);
          }
          if (left < 0 || (left === 0 && end?.how === 'killed before')) throw new Killed();
          const answer: unknown = await Reflect.apply(member, target, input);
          if (left === 0) throw new Killed();
          return answer;
        };
      },
    });
}

/** A tracker of a story and the processes that live through it. */
function live({ atFirst, meanwhile, aheadMs, lagMs, pageSize }: Story, byPosition: boolean) {
  trackers += 1;
  const name = `tracker ${trackers}`;
  let clock = Date.parse('2026-03-02T09:00:00Z');
  const pending = [...meanwhile];
  const tracker = livingTracker({
    ourNow: () => clock,
    aheadMs,
    lagMs,
    pageSize,
    byPosition,
    before() {
      for (const one of pending.shift() ?? []) {
        clock += one.after;
        happen(tracker, one);
      }
    },
  });
  for (let i = 0; i < atFirst; i += 1) tracker.create(projects[i % 2] ?? 'DEMO');
  return {
    name,
    tracker,
    /** A turn of a new process; those before have died longer ago than a lease lasts. */
    turn(from: LiveTracker, end: End | null, wish: string | null = null) {
      clock += 31_000;
      const around = mortal(end);
      const sync = createSync({
        ...{ tracker: around(from), issues: around(store.issues(name)), store: around(store.sync(name)) },
        ...{ signals: noSignals, address: 'https://demo.example', wish, now: () => clock, wait: waitForStop },
        ...{
          newId: () => `process at ${clock}`,
          everyMs: 30_000,
          withAccess: false,
          withIssues: true,
          onProblem: () => {},
        },
      });
      return sync.run({ compare: end === null, acceptRemovals: end === null }, () => {});
    },
    /** Lets the rest happen, puts right what can be, and lets the search catch up, some ms later. */
    settle(later: number) {
      for (const one of pending.splice(0).flat()) happen(tracker, one);
      heal(tracker, tracker.kept.keys());
      clock += later;
    },
  };
}

function expectEnd(error: unknown): void {
  if (!(error instanceof Killed || error instanceof AppError)) throw error;
}

const anything = stories(oddKinds, ['DEMO', 'WEB']);

test('whatever happens between its answers, and wherever a process dies, in the end the store is as the tracker is', () =>
  fc.assert(
    fc.asyncProperty(anything, async (story) => {
      const { name, tracker, turn, settle } = live(story, true);
      for (const end of story.ends) await turn(tracker.wishing(end.wish), end, end.wish).catch(expectEnd);
      settle(story.lagMs + 2 * millisecondsInHour);
      const wished = tracker.wishing(story.wish);
      const status = await turn(wished, null, story.wish);

      const { missing } = await wished.issues({ ids: [...tracker.kept.keys()], detail: 'presence' });
      const there = [...tracker.kept.values()].filter(({ id = '' }) => !missing.includes(id));
      expect(status).toMatchObject({ filled: true, problem: null, withheld: [], issues: there.length });
      expect(await storedIn(name)).toEqual(sorted(there));
      for (const [key, id] of tracker.oldKeys) {
        const found = await store.issues(name).issue(key);
        if (found !== null) expect(found.id).toBe(id);
      }
    }),
    { numRuns: runs(25) },
  ));

test('a fill and what is followed lose nothing by themselves where pages do not shift', () =>
  fc.assert(
    fc.asyncProperty(stories([], []), async (story) => {
      const { name, tracker, turn, settle } = live(story, false);
      const incomparable: LivingTracker = {
        ...tracker,
        async issues(wanted) {
          if ('window' in wanted && wanted.window.by === 'created' && wanted.detail !== 'whole')
            throw new AppError('service-unavailable', 'No comparison today.');
          return tracker.issues(wanted);
        },
      };
      for (const end of story.ends) await turn(incomparable, end).catch(expectEnd);
      // What is found later than searches overlap is found by the look back that is due every hour.
      settle(story.lagMs + (story.lagMs > OVERLAP_MS ? millisecondsInHour : 0));
      await expect(turn(incomparable, null)).rejects.toThrow('No comparison today.');

      expect(await storedIn(name)).toEqual(expect.arrayContaining([...sorted([...tracker.kept.values()])]));
    }),
    { numRuns: runs(25) },
  ));

async function storedIn(name: string): Promise<readonly string[]> {
  const { issues } = await store.issues(name).changedSince(0, 10_000);
  return sorted(issues.map(({ issue }) => issue));
}

function sorted(issues: readonly Issue[]): readonly string[] {
  return issues.map((issue) => JSON.stringify(issue)).toSorted();
}

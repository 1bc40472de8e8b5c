import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createSync } from '../../../src/mirror/sync/create-sync.ts';
import { AppError } from '../../../src/model/error.ts';
import type { Issue } from '../../../src/model/issue.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.ts';
import type { Store } from '../../../src/store/store.ts';
import type { LiveTracker } from '../../../src/tracker/live-tracker.ts';
import { type LivingTracker, livingTracker } from '../../support/living-tracker.ts';
import { runs } from '../../support/soak.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { waitForStop } from '../../support/wait-for-stop.ts';

let store: Store;
let trackers = 0;
beforeAll(() => {
  store = openSqliteStore(temporaryFolder());
});
afterAll(() => store.close());

interface Happening {
  readonly kind: 'create' | 'change' | 'move' | 'remove' | 'rest';
  /** Chooses the issue. */
  readonly which: number;
  /** How long (ms) after what came before. */
  readonly after: number;
}

interface End {
  /** Of the store or the tracker. */
  readonly calls: number;
  readonly how: 'killed before' | 'killed after' | 'refused';
}

const aHappening: fc.Arbitrary<Happening> = fc.record({
  kind: fc.constantFrom('create', 'create', 'change', 'change', 'change', 'move', 'remove', 'rest'),
  which: fc.nat(1000),
  after: fc.constantFrom(0, 1, 900, 40_000, 400_000),
});

const anEnd: fc.Arbitrary<End> = fc.record({
  calls: fc.integer({ min: 1, max: 80 }),
  how: fc.constantFrom('killed before', 'killed after', 'refused'),
});

const aStory = fc.record({
  atFirst: fc.integer({ min: 0, max: 25 }),
  /** What happens before each answer, until there is no more. */
  meanwhile: fc.array(fc.array(aHappening, { maxLength: 3 }), { maxLength: 60 }),
  /** How each process comes to its end. */
  ends: fc.array(anEnd, { maxLength: 6 }),
  aheadMs: fc.constantFrom(0, 600_000, -600_000),
  lagMs: fc.constantFrom(0, 2000, 240_000),
  pageSize: fc.integer({ min: 1, max: 6 }),
});

type Story = typeof aStory extends fc.Arbitrary<infer Told> ? Told : never;

const projects = ['DEMO', 'WEB', 'OPS'];

function happen(tracker: LivingTracker, { kind, which }: Happening): void {
  const project = projects[which % projects.length] ?? 'DEMO';
  const ids = [...tracker.issues.keys()];
  const id = ids[which % Math.max(1, ids.length)] ?? '';
  if (kind === 'create') tracker.create(project);
  if (kind === 'change') tracker.change(id);
  if (kind === 'move') tracker.move(id, project);
  if (kind === 'remove') tracker.remove(id);
}

class Killed extends Error {}

/** Lets only so many calls through; who is dead calls nothing any more. */
function mortal(end: End | null) {
  let left = end?.calls ?? Number.POSITIVE_INFINITY;
  return <Port extends object>(port: Port): Port =>
    new Proxy(port, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function' || name === 'requests' || name === 'lists') return member;
        return async (...told: readonly unknown[]) => {
          left -= 1;
          if (end?.how === 'refused') {
            if (left === 0) throw new AppError('unavailable', 'Not now.');
            return Reflect.apply(member, target, told);
          }
          if (left < 0 || (left === 0 && end?.how === 'killed before')) throw new Killed();
          const answer: unknown = await Reflect.apply(member, target, told);
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
    turn(asked: LiveTracker, end: End | null) {
      clock += 31_000;
      const around = mortal(end);
      const sync = createSync({
        tracker: around(asked),
        issues: around(store.issues(name)),
        store: around(store.sync(name)),
        now: () => clock,
        wait: waitForStop,
        newId: () => `process at ${clock}`,
        everyMs: 30_000,
        withIssues: true,
        onProblem: () => {},
      });
      return sync.run({ compare: end === null, acceptRemovals: false }, () => {});
    },
    /** Lets the rest happen, and the search catch up with it. */
    settle() {
      for (const one of pending.splice(0).flat()) happen(tracker, one);
      clock += lagMs;
    },
  };
}

function expectEnd(error: unknown): void {
  if (!(error instanceof Killed || error instanceof AppError)) throw error;
}

test('whatever happens while it is asked, and wherever a process dies, in the end the store is as the tracker is', () =>
  fc.assert(
    fc.asyncProperty(aStory, async (story) => {
      const { name, tracker, turn, settle } = live(story, true);
      for (const end of story.ends) await turn(tracker, end).catch(expectEnd);
      settle();
      const status = await turn(tracker, null);

      expect(status).toMatchObject({ filled: true, problem: null, issues: tracker.issues.size });
      expect(await kept(name)).toEqual(sorted([...tracker.issues.values()]));
      for (const [key, id] of tracker.oldKeys) {
        const found = await store.issues(name).issue(key);
        if (found !== null) expect(found.id).toBe(id);
      }
    }),
    { numRuns: runs(25) },
  ));

test('a fill and what is followed lose nothing by themselves where pages do not shift', () =>
  fc.assert(
    fc.asyncProperty(aStory, async (story) => {
      const { name, tracker, turn, settle } = live(story, false);
      const incomparable: LivingTracker = {
        ...tracker,
        async survey(window, place, tells) {
          if (window.by === 'created') throw new AppError('unavailable', 'No comparison today.');
          return tracker.survey(window, place, tells);
        },
      };
      for (const end of story.ends) await turn(incomparable, end).catch(expectEnd);
      settle();
      await expect(turn(incomparable, null)).rejects.toThrow('No comparison today.');

      expect(await kept(name)).toEqual(expect.arrayContaining([...sorted([...tracker.issues.values()])]));
    }),
    { numRuns: runs(25) },
  ));

async function kept(name: string): Promise<readonly string[]> {
  const told = await store.issues(name).changedSince(0, 10_000);
  return sorted(told.issues);
}

function sorted(issues: readonly Issue[]): readonly string[] {
  return issues.map((issue) => JSON.stringify(issue)).toSorted();
}

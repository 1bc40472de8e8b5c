import fc from 'fast-check';
import { expect, test } from '#jest';
import type { DigestRun } from '../../src/model/digest.ts';
import { aDigest } from '../support/a-digest.ts';
import { openTestStore } from '../support/open-test-store.ts';
import { runs } from '../support/soak.ts';
import { storedDigests } from '../support/stored-digests.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const LEASE = 15;

/** What is expected of a period: what can be read of it, and who holds it. */
interface Expected extends DigestRun {
  readonly holder: string | null;
  readonly heldUntil: number;
  readonly plannedFor: number;
  readonly restsUntil: number;
}

/** What two processes and an owner may do, in any order; the clock moves between, also back. */
const deeds = fc.array(
  fc.record({
    deed: fc.constantFrom(
      'fall due',
      'claim',
      'claim',
      'renew',
      'putNote',
      'finish',
      'release',
      'pause',
      'resume',
      'forget',
    ),
    holder: fc.constantFrom('one', 'other'),
    /** Which of the periods there are. */
    nth: fc.nat({ max: 3 }),
    state: fc.constantFrom('sent', 'silent', 'skipped', 'failed'),
    isSkipped: fc.boolean(),
    isAttempt: fc.boolean(),
    isStale: fc.boolean(),
    passed: fc.constantFrom(-5, 0, 1, 20),
  }),
  { maxLength: 50 },
);

test('whatever two processes do, in whatever order, each period is held by one and ends once', async () => {
  await fc.assert(
    fc.asyncProperty(deeds, async (steps) => {
      const dataDir = temporaryFolder();
      const [first, second] = [await openTestStore(dataDir), await openTestStore(dataDir)];
      const storeOf = (holder: string) => storedDigests(holder === 'one' ? first : second);
      await storedDigests(first).add(aDigest('a', { nextDue: 10 }));

      let now = 100;
      let nextDue = 10;
      let paused = false;
      const known = new Map<number, Expected>();
      const set = (run: Expected, changes: Partial<Expected>) => known.set(run.due, { ...run, ...changes });

      for (const { deed, holder, nth, state, isSkipped, isAttempt, isStale, passed } of steps) {
        now += passed;
        const its = storeOf(holder);
        const lease = { holder, until: now + LEASE };
        const run = [...known.values()].at(nth);
        const holds = run !== undefined && run.holder === holder;
        switch (deed) {
          case 'fall due': {
            const due = nextDue;
            const skipped = isSkipped ? { skipReason: 'away' as const, message: 'why' } : null;
            const runs = [{ due, notBefore: now + 3, skipped }];
            const expected = isStale ? due - 10 : due;
            await its.addRuns('a', expected, runs, due + 10, now);
            if (isStale || paused) break;
            nextDue += 10;
            known.set(due, {
              digestId: 'a',
              due,
              state: isSkipped ? 'skipped' : 'claimed',
              note: {},
              attempts: 0,
              message: skipped?.message ?? null,
              skipReason: skipped?.skipReason ?? null,
              finishedAt: isSkipped ? due : null,
              holder: null,
              heldUntil: 0,
              plannedFor: now + 3,
              restsUntil: 0,
            });
            break;
          }
          case 'claim': {
            const free = [...known.values()]
              .filter(
                (one) => Math.max(one.heldUntil, one.plannedFor, one.restsUntil) <= now && !isEnded(one),
              )
              .sort((a, b) => a.due - b.due)[0];
            const claimed = await its.claim(now, lease);
            if (free === undefined || paused) expect(claimed).toBeNull();
            else {
              expect(claimed?.due).toBe(free.due);
              set(free, { holder, heldUntil: lease.until, attempts: free.attempts + 1 });
            }
            break;
          }
          case 'renew':
            if (run === undefined) break;
            expect(await its.renew('a', run.due, lease)).toBe(holds);
            if (holds) set(run, { heldUntil: lease.until });
            break;
          case 'putNote':
            if (run === undefined) break;
            expect(await its.putNote('a', run.due, lease, { at: `${now}` })).toBe(holds);
            if (holds) set(run, { heldUntil: lease.until, note: { at: `${now}` } });
            break;
          case 'finish':
            if (run === undefined) break;
            expect(await its.finish('a', run.due, holder, { state, message: null }, now)).toBe(holds);
            if (holds) set(run, { state, finishedAt: now, holder: null, heldUntil: 0 });
            break;
          case 'release': {
            if (run === undefined) break;
            await its.release('a', run.due, { holder, notBefore: now + 2, isAttempt });
            const attempts = run.attempts - (isAttempt ? 0 : 1);
            if (holds) set(run, { holder: null, heldUntil: 0, restsUntil: now + 2, attempts });
            break;
          }
          case 'pause':
          case 'resume':
            paused = deed === 'pause';
            await its.change('a', { paused });
            break;
          case 'forget': {
            const newest = Math.max(...[...known.values()].filter(isEnded).map(({ due }) => due));
            await its.forget(now);
            for (const one of known.values()) {
              if (isEnded(one) && Number(one.finishedAt) < now && one.due < newest) known.delete(one.due);
            }
          }
        }
        // What another process wrote is seen from the next turn of the event loop on.
        await new Promise((next) => setImmediate(next));
        const expected = [...known.values()].map(readable).sort((a, b) => b.due - a.due);
        expect(await storedDigests(first).runs('a', 99)).toEqual(expected);
        expect(await storedDigests(second).get('a')).toEqual(
          aDigest('a', { nextDue, paused, lastRun: expected.find(isEnded) ?? null }),
        );
      }
      first.close();
      second.close();
    }),
    { numRuns: runs(100) },
  );
});

function isEnded({ state }: DigestRun): boolean {
  return state !== 'claimed';
}

function readable({ holder, heldUntil, plannedFor, restsUntil, ...run }: Expected): DigestRun {
  return run;
}

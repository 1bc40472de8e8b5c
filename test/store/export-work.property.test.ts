import fc from 'fast-check';
import { expect, test } from '#jest';
import type { ExportState } from '../../src/model/export.ts';
import { aProvenance, aScope } from '../support/a-provenance.ts';
import { exportOf } from '../support/an-export.ts';
import { openTestStore } from '../support/open-test-store.ts';
import { runs } from '../support/soak.ts';
import { storedExports } from '../support/stored-exports.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const holders = ['one', 'other'];
const ids = ['a', 'b', 'c'];
const none = { completed: 0, total: 3 };
const delivery = { door: 'slack', note: {}, pending: false } as const;
const outcomes = [
  {
    state: 'Successful',
    fileName: 'a.csv',
    bytes: 1,
    provenance: aProvenance(),
    scope: aScope,
    expiresAt: 1_000_000,
  },
  { state: 'Failed', message: 'why' },
] as const;

/** What two processes and an owner may do, in any order; time passes between. */
const deeds = fc.array(
  fc.record({
    deed: fc.constantFrom('claim', 'claim', 'renew', 'finish', 'release', 'putDelivery', 'abort'),
    holder: fc.constantFrom(...holders),
    id: fc.constantFrom(...ids),
    outcome: fc.constantFrom(...outcomes),
    passed: fc.constantFrom(0, 1, 20),
  }),
  { maxLength: 40 },
);

test('whatever two processes do, an export has one holder at a time and ends once', async () => {
  await fc.assert(
    fc.asyncProperty(deeds, async (told) => {
      const store = await openTestStore(temporaryFolder());
      const exports = storedExports(store.exports);
      for (const id of ids) await exports.add(exportOf(id === 'c' ? 'bob' : 'ada', id, 0), 9);
      let now = 0;
      const ends = new Map<string, ExportState>();
      const ended = (id: string, state: ExportState) => {
        expect(ends.has(id)).toBe(false);
        ends.set(id, state);
      };
      for (const { deed, holder, id, outcome, passed } of told) {
        now += passed;
        const lease = { holder, until: now + 15 };
        const before = await exports.get(id);
        switch (deed) {
          case 'claim': {
            const claimed = await exports.claim(now, lease, ['slack']);
            if (claimed !== null)
              expect((await exports.claim(now, lease, ['slack']))?.id).not.toBe(claimed.id);
            break;
          }
          case 'renew':
            if (await exports.renew(id, lease, none)) {
              const others = holders.filter((one) => one !== holder);
              for (const one of others)
                expect(await exports.renew(id, { ...lease, holder: one }, none)).toBe(false);
            } else expect(await exports.get(id)).toEqual(before);
            break;
          case 'finish':
            if (await exports.finish(id, lease, now, outcome)) ended(id, outcome.state);
            else expect(await exports.get(id)).toEqual(before);
            break;
          case 'abort':
            if (await exports.abort(id, now)) ended(id, 'Aborted');
            else expect(await exports.get(id)).toEqual(before);
            break;
          case 'putDelivery':
            if (!(await exports.putDelivery(id, lease, delivery)))
              expect(await exports.get(id)).toEqual(before);
            break;
          case 'release':
            await exports.release(id, holder, now);
        }
        const after = await exports.get(id);
        expect(after?.state).toBe(ends.get(id) ?? (after?.state === 'Queued' ? 'Queued' : 'Running'));
        expect(after?.finishedAt === null).toBe(!ends.has(id));
      }
      // Whatever has been done, nothing is left lying for ever.
      for (;;) {
        now += 20;
        const record = await exports.claim(now, { holder: 'last', until: now + 15 }, ['slack']);
        if (record === null) break;
        if (await exports.finish(record.id, { holder: 'last', until: now }, now, outcomes[0]))
          ended(record.id, 'Successful');
      }
      expect(ends.size).toBe(ids.length);
      store.close();
    }),
    { numRuns: runs(100) },
  );
});

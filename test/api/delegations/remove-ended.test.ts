import { millisecondsInDay, millisecondsInHour } from 'date-fns/constants';
import { expect, test } from '#jest';
import { createEndedRemoval } from '../../../src/api/delegations/local-delegation-records.ts';
import { aStore } from '../../support/a-store.ts';

test('delegations go with all their versions once they have ended for long, and stay without a setting', async () => {
  const { documents, audit } = await aStore();
  const { delegations } = documents('jira');
  const input = { active: true, delegator: 'ada', delegates: ['bob'], categoryIds: [], start: 0, notes: '' };
  const saved = { savedBy: 'ada', savedAt: 0 };
  const add = (...ends: readonly number[]) =>
    delegations.addNumbered({ name: 'delegation', first: 100_001 }, (id) => ({
      versions: ends.map((end, i) => ({ ...input, ...saved, end, id, version: i + 1 })),
    }));
  await add(millisecondsInDay);
  // What it was before does not matter.
  await add(millisecondsInDay, 90 * millisecondsInDay);
  await delegations.change('delegation 7', () => ({
    versions: [{ ...input, ...saved, end: 1, id: 7, version: 2 }],
  }));
  const left = async () =>
    (await delegations.list())
      .flatMap((entry) => ('versions' in entry ? entry.versions.slice(0, 1) : []))
      .map(({ id }) => id)
      .sort((a, b) => a - b);
  const clock = { now: 31 * millisecondsInDay };
  const parts = { store: async () => delegations, now: () => clock.now };
  await createEndedRemoval({ ...parts, days: null })();
  const remove = createEndedRemoval({ ...parts, days: 30 });
  await remove();
  expect(await left()).toEqual([7, 100_001, 100_002]);
  clock.now += 1;
  // It looks once in an hour.
  await remove();
  expect(await left()).toHaveLength(3);
  clock.now += millisecondsInHour;
  await remove();
  expect(await left()).toEqual([7, 100_002]);
  const [last] = (await audit.list({ action: 'delegation.removed' }, 9)).slice(-1);
  expect(last).toMatchObject({ subject: 'delegation 100001', facts: { people: { delegator: 'ada' } } });
});

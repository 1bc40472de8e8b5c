import { millisecondsInDay, millisecondsInHour } from 'date-fns/constants';
import { expect, test } from '#jest';
import {
  createEndedRemoval,
  delegationNumbers,
  newestIn,
  versionOf,
} from '../../../src/api/delegations/local-delegation-records.ts';
import { aStore } from '../../support/a-store.ts';

test('delegations go with all their versions once they have ended for long, and stay without a setting', async () => {
  const { documents, audit } = await aStore();
  const { delegations } = documents('jira');
  const input = { active: true, delegator: 'ada', delegates: ['bob'], categoryIds: [], start: 0, notes: '' };
  const add = (...ends: readonly number[]) =>
    delegations.addNumbered(delegationNumbers, (id) => ({
      versions: ends.map((end, i) => versionOf({ ...input, end }, { id, version: i + 1, by: 'ada', at: 0 })),
    }));
  await add(millisecondsInDay);
  // What it was before does not matter.
  await add(millisecondsInDay, 90 * millisecondsInDay);
  await delegations.change('delegation 7', () => ({
    versions: [versionOf({ ...input, end: 1 }, { id: 7, version: 2, by: 'ada', at: 0 })],
  }));
  const left = async () => newestIn(await delegations.list()).map(({ id }) => id);
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

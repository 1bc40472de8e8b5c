import { beforeAll, expect, test } from '#jest';
import { aDigest } from '../../support/a-digest.ts';
import { openTestStore } from '../../support/open-test-store.ts';
import { storedDigests } from '../../support/stored-digests.ts';
import { suiteDwell } from '../../support/suite-dwell.ts';

const dwell = suiteDwell();
beforeAll(async () => {
  const store = await openTestStore(dwell.dataDir);
  await storedDigests(store).add(
    aDigest('a', { title: 'Aging', nextDue: Date.parse('2026-03-23T09:00:00Z') }),
  );
  await storedDigests(store).add(aDigest('b', { title: 'Mine', place: { kind: 'owner' }, paused: true }));
  store.close();
});

const linesOf = async (...args: string[]) => (await dwell.types('digests', ...args)).lines;

test('lists every digest, hands over and deletes, without an admin', async () => {
  const mine = "b  of U1  to its owner  '0 9 * * 1-5' UTC  paused  not posted yet  Mine";
  const aging = (owner: string) =>
    `a  of ${owner}  in C1  '0 9 * * 1-5' UTC  next 2026-03-23T09:00:00.000Z  not posted yet  Aging`;
  expect(await linesOf()).toEqual([aging('U1'), mine]);
  expect(await linesOf('list')).toEqual([aging('U1'), mine]);
  expect(await linesOf('change-owner', 'a', 'u0ben')).toEqual([aging('U0BEN'), mine]);
  // As it was called once.
  expect(await linesOf('hand-over', 'a', 'u0cid')).toEqual([aging('U0CID'), mine]);
  expect(await linesOf('change-owner', 'a', 'u0ben')).toEqual([aging('U0BEN'), mine]);
  expect(await linesOf('delete', 'b')).toEqual([aging('U0BEN')]);
  expect(await linesOf('delete', 'a')).toEqual(['There are no digests.']);
});

test.each([
  [['give'], "'give' is not known. Try: list, change-owner, delete."],
  [['delete'], 'ID is missing'],
  [['list', 'a'], "Unexpected argument 'a'"],
  [['delete', 'a', 'b'], "Unexpected argument 'b'"],
  [['change-owner', 'a', 'ben'], "ACCOUNT 'ben' is not a Slack account"],
  [['change-owner', 'a', 'U0BEN', 'x'], "Unexpected argument 'x'"],
])('%j is refused with what is allowed', async (args, words) => {
  await expect(dwell.types('digests', ...args)).rejects.toMatchObject({
    code: 'bad-request',
    details: [expect.stringContaining(words)],
  });
});

test('a digest that is not there is not found', async () => {
  await expect(dwell.types('digests', 'delete', 'x')).rejects.toMatchObject({ code: 'not-found' });
});

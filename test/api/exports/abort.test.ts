import { expect, test } from '#jest';
import { aWish } from '../../support/an-export.ts';
import { heldReporting } from '../../support/held-reporting.ts';
import { refusal, suiteOffices, threeIssues, until } from '../../support/local-exports.ts';
import { principalOf } from '../../support/principal-of.ts';
import { smallWorld } from '../../support/small-world.ts';
import { storedExports } from '../../support/stored-exports.ts';

const ada = principalOf('ada');
const aborted = { state: 'Aborted', message: 'The export was aborted.', fileName: null, bytes: null };
const world = () => smallWorld('2026-03-18T12:00:00Z', threeIssues);

const open = suiteOffices();

test('a queued export that is aborted is never made', async () => {
  const office = await open();
  const { id } = await office.exports.queue(aWish());
  expect(await office.exports.abort(ada, id)).toMatchObject({ ...aborted, finishedAt: office.clock.now });
  office.exports.start({});
  await office.looked();
  expect(await office.exports.get(ada, id)).toMatchObject({ ...aborted, attempts: 0 });
  expect(office.lying()).toEqual([]);
});

test('a running one stops, leaves no file, and makes room for the next', async () => {
  const held = heldReporting(world());
  const office = await open({ reporting: held.reporting });
  office.exports.start({});
  const { id } = await office.exports.queue(aWish());
  await until(() => office.lying().includes(`${id}-1.part`));
  await office.exports.abort(ada, id);
  const next = await office.exports.queue(aWish());
  await until(() => held.opened() === 2);
  expect(office.lying().filter((name) => name.startsWith(id))).toEqual([]);
  expect(await office.exports.get(ada, id)).toMatchObject(aborted);
  held.letGo();
  await office.ended(next.id);
  expect(await office.exports.get(ada, id)).toMatchObject(aborted);
});

test('one that runs in another process stops as well', async () => {
  const held = heldReporting(world());
  const office = await open({ reporting: held.reporting });
  office.exports.start({});
  const { id } = await office.exports.queue(aWish());
  await until(() => office.lying().includes(`${id}-1.part`));
  const other = await open({ dataDir: office.dataDir, clock: office.clock });
  await other.exports.abort(ada, id);
  await office.looked();
  expect(office.lying()).toEqual([]);
  expect(await office.exports.get(ada, id)).toMatchObject(aborted);
});

test('one that is aborted between its last line and its end leaves no file', async () => {
  const office = await open({
    changeStore: (store) => ({
      ...store,
      async keep(id, lease, change, how) {
        const record = await store.get(id);
        const isEnd = record !== null && change(record)?.state === 'Successful';
        if (isEnd) await storedExports(store).abort(id, office.clock.now);
        return store.keep(id, lease, change, how);
      },
    }),
  });
  office.exports.start({});
  const { id } = await office.exports.queue(aWish());
  await until(async () => (await office.exports.get(ada, id)).state === 'Aborted');
  await office.looked();
  expect(await office.exports.get(ada, id)).toMatchObject(aborted);
  expect(office.lying()).toEqual([]);
});

test('what has ended cannot be aborted', async () => {
  const office = await open();
  office.exports.start({});
  const { id } = await office.exports.queue(aWish());
  const record = await until(async () => {
    const now = await office.exports.get(ada, id);
    return now.state === 'Successful' && now;
  });
  expect(await refusal(office.exports.abort(ada, id))).toEqual(['export-ended', 'The export is completed.']);
  expect(await office.exports.get(ada, id)).toEqual(record);
  const queued = await office.exports.queue(aWish());
  await office.exports.abort(ada, queued.id).catch(() => {});
  expect(await refusal(office.exports.abort(ada, queued.id))).toEqual([
    'export-ended',
    'The export is completed.',
  ]);
});

test('the file of an aborted export is refused with the reason', async () => {
  const office = await open();
  const { id } = await office.exports.queue(aWish());
  await office.exports.abort(ada, id);
  const why = 'The export failed or was aborted: The export was aborted.';
  expect(await refusal(office.exports.file(ada, id))).toEqual(['no-export-file', why]);
});

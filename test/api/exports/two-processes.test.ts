import { readFileSync } from 'node:fs';
import { expect, test } from '#jest';
import { aWish } from '../../support/an-export.ts';
import { type HeldReporting, heldReporting } from '../../support/held-reporting.ts';
import {
  anOffice,
  type Office,
  type OfficeParts,
  suiteOffices,
  threeIssues,
  until,
} from '../../support/local-exports.ts';
import { principalOf } from '../../support/principal-of.ts';
import { smallWorld } from '../../support/small-world.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const ada = principalOf('ada');

const open = suiteOffices();

/** Two processes over one store and folder, each with a world that waits at the end of its lists. */
async function two(
  first: OfficeParts = {},
): Promise<readonly [Office & { held: HeldReporting }, Office & { held: HeldReporting }]> {
  const dataDir = temporaryFolder();
  const clock = { now: Date.parse('2026-03-18T12:00:00Z') };
  const one = async (more: OfficeParts = {}) => {
    const held = heldReporting(smallWorld('2026-03-18T12:00:00Z', threeIssues));
    return { ...(await open({ dataDir, clock, reporting: held.reporting, ...more })), held };
  };
  return [await one(first), await one()];
}

test('no export is made twice', async () => {
  const [one, other] = await two();
  one.held.letGo();
  other.held.letGo();
  const ids: string[] = [];
  for (let i = 0; i < 10; i += 1) ids.push((await one.exports.queue(aWish())).id);
  one.exports.start({});
  other.exports.start({});
  for (const id of ids) await one.ended(id);
  expect(one.held.opened() + other.held.opened()).toBe(10);
  expect(one.lying()).toEqual(ids.map((id) => `${id}-1.csv`).toSorted());
});

test('while one works on an export, the other takes the next', async () => {
  const [one, other] = await two();
  one.exports.start({});
  const first = await one.exports.queue(aWish());
  await until(() => one.held.opened() === 1);
  other.held.letGo();
  other.exports.start({});
  const second = await one.exports.queue(aWish());
  await one.ended(second.id);
  expect(await one.exports.get(ada, first.id)).toMatchObject({ state: 'Running', attempts: 1 });
  expect(other.held.opened()).toBe(1);
});

test('what one lets go of when it is stopped, the other takes up at once', async () => {
  const [one, other] = await two();
  one.exports.start({});
  const { id } = await one.exports.queue(aWish());
  await until(() => one.lying().includes(`${id}-1.part`));
  await one.exports.stop(60_000);
  expect(one.lying()).toEqual([]);
  expect(await one.exports.get(ada, id)).toMatchObject({ state: 'Queued', attempts: 0, completed: 0 });
  other.held.letGo();
  other.exports.start({});
  await other.ended(id);
  expect(await other.exports.get(ada, id)).toMatchObject({ attempts: 1 });
});

test('one that slept past its lease neither ends the export nor harms what the other has made', async () => {
  // Asleep it asks nobody whether the export is still its own.
  const [one, other] = await two({
    changeStore: (store) => ({
      ...store,
      async keep(id, lease, change, how) {
        const record = await store.get(id);
        const isRenewal = record !== null && change(record)?.state === record.state;
        return isRenewal || store.keep(id, lease, change, how);
      },
    }),
  });
  one.exports.start({});
  const { id } = await one.exports.queue(aWish());
  await until(() => one.lying().includes(`${id}-1.part`));
  other.clock.now += 15_000;
  other.held.letGo();
  other.exports.start({});
  await other.ended(id);
  const record = await other.exports.get(ada, id);
  expect(record.attempts).toBe(2);
  const path = await (await other.exports.file(ada, id)).localPath();
  const file = readFileSync(path, 'utf8');
  one.held.letGo();
  await one.looked();
  expect(await other.exports.get(ada, id)).toEqual(record);
  expect(readFileSync(path, 'utf8')).toBe(file);
  expect(other.lying()).toEqual([`${id}-2.csv`]);
});

test('one that finds its lease lost gives the export up in silence', async () => {
  const [one] = await two();
  one.exports.start({});
  const { id } = await one.exports.queue(aWish());
  await until(() => one.lying().includes(`${id}-1.part`));
  const other = { holder: 'other', until: one.clock.now + 18_000 };
  expect(await one.stored.claim(one.clock.now + 10_000, other, ['slack'])).toMatchObject({
    attempts: 2,
  });
  await one.looked();
  expect(one.lying()).toEqual([]);
  expect(await one.exports.get(ada, id)).toMatchObject({ state: 'Running', attempts: 2 });
  expect(one.logged).toEqual([]);
});

test('one that cannot let go in time leaves the export to whoever finds its lease over', async () => {
  const [one, other] = await two();
  const stuck = await anOffice({
    dataDir: one.dataDir,
    clock: one.clock,
    reporting: { ...one.held.reporting, open: () => new Promise(() => {}) },
  });
  stuck.exports.start({});
  const { id } = await stuck.exports.queue(aWish());
  await until(async () => (await stuck.exports.get(ada, id)).state === 'Running');
  await stuck.exports.stop(0);
  stuck.store.close();
  other.held.letGo();
  other.exports.start({});
  await other.looked();
  expect(await other.exports.get(ada, id)).toMatchObject({ state: 'Running', attempts: 1 });
  other.clock.now += 15_000;
  await other.ended(id);
  expect(await other.exports.get(ada, id)).toMatchObject({ attempts: 2 });
  expect(stuck.logged).toEqual([]);
});

import { afterEach, expect, test } from '#jest';
import type { DigestInput } from '../../../src/model/digest.ts';
import { aDigestOffice, adaHere, hourly } from '../../support/digest-office.ts';
import { principalOf } from '../../support/principal-of.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const ben = principalOf('U0BEN');
const admin = principalOf('U0CHI', 'admin');
const notFound = { reason: 'unknown-digest' };

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function opened() {
  const clock = { now: Date.parse('2026-03-18T12:30:00Z') };
  const office = await aDigestOffice({ dataDir: temporaryFolder(), clock });
  closing.push(office.close);
  return { ...office, clock };
}

test('a digest is its owner’s and admins’, and nobody else’s to read or change', async () => {
  const { digests } = await opened();
  const { id } = await digests.create(adaHere, hourly);
  for (const principal of [adaHere, admin]) {
    expect(await digests.get(principal, id)).toMatchObject({ owner: 'U0ADA', title: 'Open work' });
    expect((await digests.pause(principal, id)).paused).toBe(true);
    expect((await digests.resume(principal, id)).nextDue).toBe(Date.parse('2026-03-18T13:00:00Z'));
  }
  for (const attempt of [
    () => digests.get(ben, id),
    () => digests.change(ben, id, { title: 'Mine' }),
    () => digests.pause(ben, id),
    () => digests.resume(ben, id),
    () => digests.handOver(ben, id, 'U0BEN'),
    () => digests.remove(ben, id),
    () => digests.runs(ben, id, 1),
    () => digests.get(adaHere, 'none'),
  ]) {
    await expect(attempt()).rejects.toMatchObject(notFound);
  }
});

test('whoever is handed a digest has it, and who had it has not', async () => {
  const { digests } = await opened();
  const { id } = await digests.create(adaHere, hourly);
  expect(await digests.handOver(adaHere, id, 'U0BEN')).toMatchObject({ owner: 'U0BEN' });
  await expect(digests.get(adaHere, id)).rejects.toMatchObject(notFound);
  expect(await digests.get(ben, id)).toMatchObject({ owner: 'U0BEN' });
});

test('in a channel its digests are listed beside one’s own; admins see all where none is named', async () => {
  const { digests } = await opened();
  const owners = [adaHere, ben];
  for (const owner of owners) {
    for (const channel of ['C1', 'C2']) {
      await digests.create(owner, {
        ...hourly,
        title: `${owner.account} ${channel}`,
        place: { kind: 'channel', channel },
      });
    }
    await digests.create(owner, { ...hourly, title: `${owner.account} alone`, place: { kind: 'owner' } });
  }
  const titles = async (...asked: Parameters<typeof digests.list>) =>
    (await digests.list(...asked)).map(({ title }) => title);
  expect(await titles(ben, null)).toEqual(['U0BEN alone', 'U0BEN C1', 'U0BEN C2']);
  expect(await titles(ben, 'C1')).toEqual(['U0ADA C1', 'U0BEN alone', 'U0BEN C1', 'U0BEN C2']);
  expect(await titles(admin, 'C2')).toEqual(['U0ADA C2', 'U0BEN C2']);
  expect(await titles(admin, null)).toHaveLength(6);
});

test('an account has fifty digests at most', async () => {
  const { digests } = await opened();
  for (let i = 0; i < 50; i += 1) await digests.create(adaHere, hourly);
  await expect(digests.create(adaHere, hourly)).rejects.toMatchObject({ reason: 'too-many-digests' });
  const { id } = await digests.create(ben, hourly);
  // One that is handed over counts for its new owner.
  const [first] = await digests.list(adaHere, null);
  await digests.handOver(adaHere, first?.id ?? '', 'U0BEN');
  await digests.create(adaHere, hourly);
  await digests.handOver(ben, id, 'U0ADA');
  await expect(digests.create(adaHere, hourly)).rejects.toMatchObject({ reason: 'too-many-digests' });
});

test('digests are listed by title, whatever its case; of one title the one that is due first, paused ones last', async () => {
  const { digests } = await opened();
  const at = (hour: number) => ({ cron: `0 ${hour} * * *`, timeZone: 'UTC' });
  const created: Record<string, string> = {};
  for (const [name, title, hour] of [
    ...([
      ['late', 'aging', 20],
      ['early', 'Aging', 15],
      ['resting', 'AGING', 14],
    ] as const),
    ...([
      ['last', 'Zoo', 13],
      ['middle', 'weekly', 13],
    ] as const),
  ]) {
    created[(await digests.create(adaHere, { ...hourly, title, schedule: at(hour) })).id] = name;
  }
  const [resting = ''] = Object.keys(created).filter((id) => created[id] === 'resting');
  await digests.pause(adaHere, resting);
  const listed = (await digests.list(adaHere, null)).map(({ id }) => created[id]);
  expect(listed).toEqual(['early', 'late', 'resting', 'middle', 'last']);
});

test.each<[Partial<DigestInput>, string]>([
  [{ title: ' ' }, "title ' ' is not allowed. Try: 1 to 100 characters."],
  [{ schedule: { cron: '*/5 * * * *', timeZone: 'UTC' } }, 'more often than once an hour'],
  [{ schedule: { cron: '0,59 9 * * *', timeZone: 'UTC' } }, 'more often than once an hour'],
  [{ schedule: { cron: '0 9 * *', timeZone: 'UTC' } }, 'does not have five fields'],
  [{ schedule: { cron: '0 9 * * 1', timeZone: 'Mars/Base' } }, "timeZone 'Mars/Base'"],
  [{ workingDays: '999' }, "calendar '999' is not known"],
  [{ place: { kind: 'channel', channel: '' } }, "channel ''"],
])('%j is refused with what is allowed', async (wrong, sentence) => {
  const { digests } = await opened();
  const refused = { reason: 'invalid-value', details: [expect.stringContaining(sentence)] };
  await expect(digests.create(adaHere, { ...hourly, ...wrong })).rejects.toMatchObject(refused);
  const { id } = await digests.create(adaHere, hourly);
  await expect(digests.change(adaHere, id, wrong)).rejects.toMatchObject(refused);
});

test('times that come close together only where clocks are changed are allowed', async () => {
  const { digests, clock } = await opened();
  clock.now = Date.parse('2026-03-28T12:00:00Z');
  const schedule = { cron: '30 2,3 * * *', timeZone: 'Europe/Berlin' };
  await digests.create(adaHere, { ...hourly, schedule });
});

test('another schedule counts from now on; another title leaves it alone', async () => {
  const { digests, clock } = await opened();
  const { id, nextDue } = await digests.create(adaHere, hourly);
  clock.now += 10 * 60_000;
  expect(await digests.change(adaHere, id, { title: 'Renamed' })).toMatchObject({
    title: 'Renamed',
    nextDue,
  });
  const schedule = { cron: '0 9 * * 1', timeZone: 'Europe/Berlin' };
  expect(await digests.change(adaHere, id, { schedule })).toMatchObject({
    nextDue: Date.parse('2026-03-23T08:00:00Z'),
  });
  await digests.pause(adaHere, id);
  expect(await digests.change(adaHere, id, { schedule: hourly.schedule })).toMatchObject({ nextDue: null });
});

test('a digest whose owner is gone belongs to who takes it over first', async () => {
  const { digests } = await opened();
  const { id } = await digests.create(adaHere, hourly);
  const chi = principalOf('U0CHI');
  expect(await digests.takeOver(ben, id, 'U0ADA')).toMatchObject({ owner: 'U0BEN' });
  await expect(digests.takeOver(chi, id, 'U0ADA')).rejects.toMatchObject({ reason: 'unknown-digest' });
  await expect(digests.takeOver(chi, 'x', 'U0ADA')).rejects.toMatchObject({ reason: 'unknown-digest' });
  expect(await digests.get(ben, id)).toMatchObject({ owner: 'U0BEN' });
});

import { describe, expect, test } from '#jest';
import type { ExportFile, ExportNotifier } from '../../../src/api/exports/exports-api.ts';
import { AppError } from '../../../src/model/error.ts';
import type { Delivery, ExportRecord } from '../../../src/model/export.ts';
import { aWish } from '../../support/an-export.ts';
import { heldReporting } from '../../support/held-reporting.ts';
import { type Office, suiteOffices, threeIssues, until } from '../../support/local-exports.ts';
import { principalOf } from '../../support/principal-of.ts';
import { smallWorld } from '../../support/small-world.ts';

const ada = principalOf('ada');
const delivery: Delivery = { door: 'slack', note: { channel: 'C1' }, pending: true };
const world = () => smallWorld('2026-03-18T12:00:00Z', threeIssues);
const [second, minute, hour] = [1_000, 60_000, 3_600_000];

const open = suiteOffices();

/** A notifier that remembers what it was told; `deliver` is what it does at the end. */
function aNotifier(deliver: ExportNotifier['deliver'] = async () => {}) {
  const delivered: { record: ExportRecord; file: ExportFile | null }[] = [];
  const notifier: ExportNotifier = {
    async deliver(record, file, keep) {
      delivered.push({ record, file });
      await deliver(record, file, keep);
    },
  };
  return { notifier, delivered };
}

const unavailable = async () => {
  throw new AppError('slack-unavailable', 'Slack is away.');
};
const isSettled = ({ store }: Office, id: string) =>
  until(async () => (await store.exports.get(id))?.delivery?.pending === false);
const failures = ({ logged }: Office) => logged.filter(({ level }) => level >= 50).map(({ msg }) => msg);

describe('the end', () => {
  test('is told once, with the file', async () => {
    const office = await open();
    const { notifier, delivered } = aNotifier();
    office.exports.start({ slack: notifier });
    const { id } = await office.exports.queue(aWish(), delivery);
    await isSettled(office, id);
    const { open: _, localPath: __, ...facts } = await office.exports.file(ada, id);
    const file = expect.objectContaining(facts);
    expect(delivered).toEqual([{ record: expect.objectContaining({ id, state: 'Successful' }), file }]);
  });

  test('of a failure is told without a file', async () => {
    const held = heldReporting(world());
    held.fail(new AppError('invalid-value', 'Bad request', ['it is wrong.']));
    const office = await open({ reporting: held.reporting });
    const { notifier, delivered } = aNotifier();
    office.exports.start({ slack: notifier });
    const { id } = await office.exports.queue(aWish(), delivery);
    await isSettled(office, id);
    const record = expect.objectContaining({ state: 'Failed', message: 'it is wrong.' });
    expect(delivered).toEqual([{ record, file: null }]);
  });

  test('of one that was aborted is told whether it was running or not', async () => {
    const held = heldReporting(world());
    const office = await open({ reporting: held.reporting });
    const { notifier, delivered } = aNotifier();
    office.exports.start({ slack: notifier });
    const running = await office.exports.queue(aWish(), delivery);
    await until(() => held.opened() === 1);
    const waiting = await office.exports.queue(aWish(), delivery);
    await office.exports.abort(ada, waiting.id);
    await office.exports.abort(ada, running.id);
    await isSettled(office, running.id);
    await isSettled(office, waiting.id);
    expect(delivered.map(({ record, file }) => [record.id, record.state, file]).toSorted()).toEqual(
      [running.id, waiting.id].map((id) => [id, 'Aborted', null]).toSorted(),
    );
  });

  test('is told of an export without a delivery to nobody', async () => {
    const office = await open();
    const { notifier, delivered } = aNotifier();
    office.exports.start({ slack: notifier });
    const { id } = await office.exports.queue(aWish());
    await office.ended(id);
    await office.close();
    expect(delivered).toEqual([]);
  });

  test('is tried again after pauses that double up to a quarter of an hour, and no longer than a day', async () => {
    const office = await open();
    const { notifier, delivered } = aNotifier(unavailable);
    const begun = office.clock.now;
    const at: number[] = [];
    office.exports.start({ slack: notifier });
    const { id } = await office.exports.queue(aWish(), delivery);
    await until(() => delivered.length === 1);
    await office.rested();
    // Time leaps in steps of ten seconds; somebody looks for work after each.
    for (let tries = 1; tries < 9; tries += 1) {
      while (delivered.length === tries) {
        office.clock.now += 10 * second;
        await office.looked();
        await office.rested();
      }
      at.push((office.clock.now - begun) / second);
    }
    expect(at).toEqual([10, 20, 40, 80, 160, 320, 640, 1280]);
    office.clock.now = begun + 23 * hour;
    await until(() => delivered.length === 10);
    await office.rested();
    office.clock.now += 14 * minute;
    await office.looked();
    await office.rested();
    expect(delivered).toHaveLength(10);
    office.clock.now += minute;
    await until(() => delivered.length === 11);
    await office.rested();
    expect((await office.store.exports.get(id))?.delivery?.pending).toBe(true);
    office.clock.now = begun + 24 * hour;
    await isSettled(office, id);
    expect(delivered).toHaveLength(12);
    expect(failures(office)).toEqual(['the end of an export was not posted within a day and will not be']);
  });

  test('is tried again for as long as Slack refuses the whole app', async () => {
    const office = await open();
    let isRefused = true;
    const { notifier, delivered } = aNotifier(async () => {
      if (isRefused) throw new AppError('slack-token-refused', 'Slack refuses the token.');
    });
    office.exports.start({ slack: notifier });
    const { id } = await office.exports.queue(aWish(), delivery);
    await until(() => delivered.length === 1);
    await office.rested();
    office.clock.now += 40 * hour;
    await until(() => delivered.length === 2);
    await office.rested();
    expect((await office.store.exports.get(id))?.delivery?.pending).toBe(true);
    isRefused = false;
    office.clock.now += hour;
    await isSettled(office, id);
    expect(delivered).toHaveLength(3);
    expect(failures(office)).toEqual([]);
  });

  test('that takes long to tell does not keep the next export waiting', async () => {
    const gate = Promise.withResolvers<void>();
    const office = await open();
    const { notifier, delivered } = aNotifier(() => gate.promise);
    office.exports.start({ slack: notifier });
    const slow = await office.exports.queue(aWish(), delivery);
    await until(() => delivered.length === 1);
    const next = await office.exports.queue(aWish());
    await office.ended(next.id);
    expect((await office.store.exports.get(slow.id))?.delivery?.pending).toBe(true);
    gate.resolve();
    await isSettled(office, slow.id);
    expect(delivered).toHaveLength(1);
  });

  test('that cannot be told for another reason is given up and logged', async () => {
    const office = await open();
    const { notifier, delivered } = aNotifier(async () => {
      throw new Error('a bug');
    });
    office.exports.start({ slack: notifier });
    const { id } = await office.exports.queue(aWish(), delivery);
    await isSettled(office, id);
    expect(delivered).toHaveLength(1);
    expect(failures(office)).toEqual(['the end of an export could not be posted']);
    expect(await office.exports.get(ada, id)).toMatchObject({ state: 'Successful' });
  });

  test('waits for a process whose door is open, and no longer', async () => {
    const office = await open();
    office.exports.start({});
    const { id } = await office.exports.queue(aWish(), delivery);
    await office.ended(id);
    await office.looked();
    const { notifier, delivered } = aNotifier();
    const next = await open({ dataDir: office.dataDir, clock: office.clock });
    next.exports.start({ slack: notifier });
    await isSettled(next, id);
    expect(delivered).toHaveLength(1);
  });
});

describe('what a notifier notes', () => {
  test('is kept, and told to whoever tries again', async () => {
    const office = await open();
    const notes: Delivery['note'][] = [];
    const { notifier } = aNotifier(async ({ delivery: told }, _file, keep) => {
      notes.push(told?.note ?? {});
      if (notes.length === 1) {
        await keep({ channel: 'C1', file: 'F1' });
        await unavailable();
      }
    });
    office.exports.start({ slack: notifier });
    const { id } = await office.exports.queue(aWish(), delivery);
    await until(() => notes.length === 1);
    await office.looked();
    office.clock.now += 10 * second;
    await isSettled(office, id);
    expect(notes).toEqual([{ channel: 'C1' }, { channel: 'C1', file: 'F1' }]);
    expect((await office.store.exports.get(id))?.delivery?.note).toEqual({ channel: 'C1', file: 'F1' });
  });

  test('is refused once another process has taken the export over, and that one delivers', async () => {
    const office = await open();
    const begun = Promise.withResolvers<void>();
    const taken = Promise.withResolvers<void>();
    const refused: string[] = [];
    const slow = aNotifier(async (_record, _file, keep) => {
      begun.resolve();
      await taken.promise;
      await keep({ file: 'F1' }).catch(({ code }: AppError) => refused.push(code));
    });
    office.exports.start({ slack: slow.notifier });
    const { id } = await office.exports.queue(aWish(), delivery);
    await begun.promise;
    // The first process has slept past its lease: to the other one it looks dead.
    const later = { holder: 'other', until: office.clock.now + 60_000 };
    await until(() => office.stored.claim(office.clock.now + 30_000, later, ['slack']));
    taken.resolve();
    await until(() => refused.length > 0);
    expect(refused).toEqual(['unavailable']);
    expect((await office.store.exports.get(id))?.delivery).toEqual(delivery);
    await office.stored.release(id, 'other', 0);
    await isSettled(office, id);
    expect(slow.delivered).toHaveLength(2);
  });
});

import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '#jest';
import { inFolder } from '../../support/left-folder.ts';
import { openTestStore } from '../../support/open-test-store.ts';
import { startDwell } from '../../support/start-dwell.ts';
import { suiteDwell } from '../../support/suite-dwell.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const HOUR = 3_600_000;

const dwell = suiteDwell();
let folder: string;
beforeEach(() => {
  folder = join(temporaryFolder(), 'backups');
  dwell.clock.now = Date.parse('2026-11-30T06:00:20Z');
  dwell.beside.length = 0;
});

const backupAt = (time: string) => `dwell-2026-11-30T${time}Z.db`;

test('a copy made while Dwell runs has everything, tokens too, and only its owner can read it', async () => {
  const saved = await dwell.postJson('/rest/reportSettings', { name: 'Backed up', parameters: {} });
  const header = await dwell.headerOf('ada');
  const file = join(temporaryFolder(), 'copy.db');
  const { lines, code } = await dwell.types('backup', file, '--json');
  const bytes = statSync(file).size;
  expect([JSON.parse(lines.join('')), code]).toEqual([
    { file, bytes, verified: true, kept: [file], removed: [] },
    0,
  ]);
  expect((statSync(file).mode & 0o777).toString(8)).toBe('600');

  const dataDir = temporaryFolder();
  copyFileSync(file, join(dataDir, 'dwell.db'));
  const restored = await startDwell({ dataDir });
  const set = await restored.get(`/rest/reportSettings/${saved.json.id}`, {}, header);
  expect([set.status, set.json.name]).toEqual([200, 'Backed up']);
  await restored.stop();
});

test('a file that exists stays as it is, and one that cannot be written leaves nothing behind', async () => {
  const file = join(temporaryFolder(), 'mine.db');
  writeFileSync(file, 'mine');
  await expect(dwell.types('backup', file)).rejects.toMatchObject({
    details: [`FILE '${file}' exists already. Try: another name.`],
  });
  expect(readFileSync(file, 'utf8')).toBe('mine');
  const nowhere = join(file, 'copy.db');
  await expect(dwell.types('backup', nowhere)).rejects.toMatchObject({ code: 'bad-request' });
  expect(existsSync(nowhere)).toBe(false);
  const late = join(temporaryFolder(), 'late.db');
  // As a killed copy leaves it.
  writeFileSync(`${late}.partial`, 'half');
  expect((await dwell.types('backup', late)).code).toBe(0);
  expect([existsSync(late), existsSync(`${late}.partial`)]).toEqual([true, false]);
  await expect(dwell.types('backup')).rejects.toMatchObject({ reason: 'missing-value' });
  const place = temporaryFolder();
  await expect(dwell.types('backup', place)).rejects.toMatchObject({
    details: [`FILE '${place}' is a folder. Try: --keep 28, or the name of a file in it.`],
  });
});

test('in a folder the newest ones stay, and what has another name; the latest one is a fact of the store', async () => {
  const others = ['notes.db', 'dwell.db', 'dwell-2020-13-01T0000Z.db', 'dwell-2020-01-01T0000Z.db.old'];
  mkdirSync(folder);
  for (const name of others) writeFileSync(join(folder, name), name);
  for (const time of ['0600', '0700', '0800']) {
    expect((await dwell.types('backup', folder, '--keep', '3')).lines).toEqual([
      expect.stringMatching(`${backupAt(time)} has everything up to now, verified \\([\\d,]+ kB\\)\\.$`),
    ]);
    dwell.clock.now += HOUR;
  }
  const { lines } = await dwell.types('backup', folder, '--keep', '2', '--json');
  const [first, second, third, fourth] = ['0600', '0700', '0800', '0900'].map((time) =>
    join(folder, backupAt(time)),
  );
  const { bytes, ...summary } = JSON.parse(lines.join(''));
  expect(summary).toEqual({ file: fourth, verified: true, kept: [third, fourth], removed: [first, second] });
  expect(readdirSync(folder).sort()).toEqual([...others, backupAt('0800'), backupAt('0900')].sort());
  const store = await openTestStore(dwell.dataDir);
  const fact = JSON.parse((await store.facts.get('backup')) ?? '');
  store.close();
  expect(fact).toEqual({ at: dwell.clock.now, file: fourth, bytes, verified: true });
  await expect(dwell.types('backup', folder, '--keep', '2')).rejects.toMatchObject({
    reason: 'busy-elsewhere',
    message: expect.stringContaining(`has a backup of this minute already: ${backupAt('0900')}`),
  });
});

/** Runs `backup` into the folder, and ends it in a wait with a number; each wait takes its time, and may do something before. */
async function typesUntilWait(
  last: number,
  during: (wait: number) => void | Promise<void>,
  ...args: string[]
) {
  const killed = new AbortController();
  const waits: number[] = [];
  const wait = async (ms: number) => {
    waits.push(ms / 60_000);
    if (waits.length === last) killed.abort();
    await during(waits.length);
    dwell.clock.now += ms;
  };
  const { lines, code } = await dwell.typesUntil(killed.signal, wait, 'backup', folder, ...args);
  return { lines, code, waits };
}

describe('--every', () => {
  test('makes a copy at once and then when the newest one is old enough, also after a restart', async () => {
    const first = await typesUntilWait(4, () => {}, '--every', '2h', '--keep', '2');
    // Names are of minutes; no single wait is longer than an hour.
    expect([first.code, first.waits]).toEqual([0, [60, 60 - 1 / 3, 60, 60]]);
    expect(readdirSync(folder)).toEqual([backupAt('0600'), backupAt('0800')]);
    expect(first.lines.filter((line) => line.startsWith('The next'))).toEqual([
      'The next backup is due at 2026-11-30 08:00 UTC.',
      'The next backup is due at 2026-11-30 10:00 UTC.',
    ]);
    dwell.clock.now = Date.parse('2026-11-30T09:30:00Z');
    const restarted = await typesUntilWait(2, () => {}, '--every', '2h', '--keep', '2');
    expect(restarted.waits).toEqual([30, 60]);
    expect(restarted.lines).toContain(`Removed ${join(folder, backupAt('0600'))}.`);
    expect(readdirSync(folder)).toEqual([backupAt('0800'), backupAt('1000')]);
  });

  test('says a failure, and goes on after a pause', async () => {
    const away = `${folder} away`;
    const { waits } = await typesUntilWait(
      4,
      (wait) => {
        if (wait === 1) {
          renameSync(folder, away);
          writeFileSync(folder, '');
        }
        if (wait === 3) {
          rmSync(folder);
          renameSync(away, folder);
        }
      },
      '--every',
      '1h',
    );
    expect(waits).toEqual([60 - 1 / 3, 5, 5, 60]);
    const line = `FOLDER '${folder}' cannot be used (ENOTDIR). Try: another folder. The next try is in 5 min.`;
    expect(dwell.beside).toEqual([line, line]);
    expect(readdirSync(folder)).toEqual([backupAt('0600'), backupAt('0710')]);
  });

  test('ends at once where the folder can be none, and without a copy where it is ended before', async () => {
    writeFileSync(folder, '');
    await expect(dwell.types('backup', folder, '--every', '1h')).rejects.toMatchObject({
      details: [`FOLDER '${folder}' cannot be used (ENOTDIR). Try: another folder.`],
    });
    rmSync(folder);
    const ended = await dwell.typesUntil(
      AbortSignal.abort(),
      async () => {},
      'backup',
      folder,
      '--every',
      '1h',
    );
    expect([ended, existsSync(folder)]).toEqual([{ lines: [], code: 0 }, false]);
  });

  test('twice at once on one folder makes each copy once', async () => {
    const isMade = async () => {
      while (!existsSync(join(folder, backupAt('0600')))) await new Promise((next) => setImmediate(next));
    };
    const both = await Promise.all([1, 2].map(() => typesUntilWait(2, isMade, '--every', '3h')));
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect(readdirSync(folder)).toEqual([backupAt('0600')]);
    expect(dwell.beside).toEqual([
      expect.stringMatching(/is being written\. Try: another name\. The next try/),
    ]);
  });
});

describe('a copy that is not verified is removed with a sentence, and removes none before it:', () => {
  const damages = [
    [
      'a row that its table cannot have',
      `CREATE TABLE note (text TEXT); INSERT INTO note VALUES (NULL); PRAGMA writable_schema = ON;
       UPDATE sqlite_schema SET sql = 'CREATE TABLE note (text TEXT NOT NULL)' WHERE name = 'note'`,
      /0700Z\.db' is not a usable copy of a database: NULL value in note\.text\.$/,
    ],
    [
      'a secret that is damaged',
      `UPDATE document SET document = '"sealed:1:0"' WHERE kind = 'secret'`,
      /^The stored secret '[\w-]+' cannot be decrypted: it is damaged/,
    ],
  ] as const;

  test.each(damages)('%s', async (_, damage, sentence) => {
    const damaged = await startDwell({ at: '2026-11-30T06:00:00Z' });
    await damaged.headerOf('ada');
    const copies = join(temporaryFolder(), 'copies');
    await damaged.types('backup', copies, '--keep', '1');
    inFolder(damaged.dataDir, (database) => {
      database.enableDefensive(false);
      database.exec(damage);
    });
    damaged.clock.now += HOUR;
    await expect(damaged.types('backup', copies, '--keep', '1')).rejects.toMatchObject({
      reason: 'store-unavailable',
      message: expect.stringMatching(sentence),
    });
    expect(readdirSync(copies)).toEqual([backupAt('0600')]);
    await damaged.stop();
  });
});

test.each([
  [
    '--every',
    '6 hours',
    "--every '6 hours' is not known. Try: a number and m (minutes), h (hours), d (days), w (weeks) or y (years), such as 6h, up to 100y.",
  ],
  [
    '--every',
    '0h',
    "--every '0h' is not known. Try: a number and m (minutes), h (hours), d (days), w (weeks) or y (years), such as 6h, up to 100y.",
  ],
  ['--keep', '0', "--keep '0' is not known. Try: a number from 1 to 100000, such as 28."],
  ['--keep', 'all', "--keep 'all' is not known. Try: a number from 1 to 100000, such as 28."],
])('%s %s is refused', async (option, value, detail) => {
  await expect(dwell.types('backup', folder, option, value)).rejects.toMatchObject({ details: [detail] });
  expect(existsSync(folder)).toBe(false);
});

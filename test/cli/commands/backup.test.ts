import { copyFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '#jest';
import { startDwell, type TestDwell } from '../../support/start-dwell.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let dwell: TestDwell;
beforeAll(async () => {
  dwell = await startDwell();
});
afterAll(() => dwell.stop());

test('a copy made while Dwell runs has everything, tokens too, and only its owner can read it', async () => {
  const saved = await dwell.postJson('/rest/reportSettings', { name: 'Backed up', parameters: {} });
  const header = await dwell.headerOf('ada');
  const file = join(temporaryFolder(), 'copy.db');
  const { lines, code } = await dwell.types('backup', file, '--json');
  expect([JSON.parse(lines.join('')), code]).toEqual([{ file, bytes: statSync(file).size }, 0]);
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
});

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from '#jest';
import { makeTenantFolder, takeOverFiles } from '../../src/compose/tenant-folder.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const onTestEnd: (() => void)[] = [];
afterEach(() => {
  for (const end of onTestEnd.splice(0)) end();
});

/** What a Dwell that knew no tenants left in DATA_DIR. */
function olderFolder(): string {
  const dataDir = temporaryFolder();
  mkdirSync(join(dataDir, 'exports'));
  mkdirSync(join(dataDir, 'cache', 'code'), { recursive: true });
  for (const name of ['exports/a-1.csv', 'exports/b-2.part', 'cache/columns-file.bin', 'cache/code/x']) {
    writeFileSync(join(dataDir, name), name);
  }
  return dataDir;
}

test('files of before tenants become those of one, and what belongs to all stays', () => {
  const dataDir = olderFolder();
  const folder = makeTenantFolder(dataDir, 'acme');
  takeOverFiles(dataDir, folder);
  expect(folder.exports).toBe(join(dataDir, 'tenants', 'acme', 'exports'));
  expect(readFileSync(join(folder.exports, 'a-1.csv'), 'utf8')).toBe('exports/a-1.csv');
  expect(readdirSync(folder.exports)).toEqual(['a-1.csv', 'b-2.part']);
  expect(readdirSync(folder.cache)).toEqual(['columns-file.bin']);
  expect(existsSync(join(dataDir, 'exports'))).toBe(false);
  expect(readdirSync(join(dataDir, 'cache'))).toEqual(['code']);
  expect(statSync(folder.exports).mode & 0o777).toBe(0o700);
});

test('a start that ended in the middle is finished by the next one, and then there is nothing to do', () => {
  const dataDir = olderFolder();
  const folder = makeTenantFolder(dataDir, 'acme');
  writeFileSync(join(folder.exports, 'moved-1.csv'), 'moved');
  takeOverFiles(dataDir, folder);
  takeOverFiles(dataDir, makeTenantFolder(dataDir, 'acme'));
  expect(readdirSync(folder.exports)).toEqual(['a-1.csv', 'b-2.part', 'moved-1.csv']);
});

test('files are taken over from a folder that is elsewhere, also on another disk', () => {
  const dataDir = temporaryFolder();
  // Folders of tests are in memory where that is possible.
  const elsewhere = mkdtempSync(join(existsSync('/var/tmp') ? '/var/tmp' : temporaryFolder(), 'dwell-'));
  onTestEnd.push(() => rmSync(elsewhere, { recursive: true }));
  writeFileSync(join(elsewhere, 'a-1.csv'), 'far away', { mode: 0o600 });
  symlinkSync(elsewhere, join(dataDir, 'exports'));
  const folder = makeTenantFolder(dataDir, 'acme');
  takeOverFiles(dataDir, folder);
  expect(readdirSync(folder.exports)).toEqual(['a-1.csv']);
  expect(readFileSync(join(folder.exports, 'a-1.csv'), 'utf8')).toBe('far away');
  expect(statSync(join(folder.exports, 'a-1.csv')).mode & 0o777).toBe(0o600);
  expect(readdirSync(elsewhere)).toEqual([]);
});

test('what cannot be moved is said, and stays where it is', () => {
  const dataDir = olderFolder();
  const folder = makeTenantFolder(dataDir, 'acme');
  mkdirSync(join(folder.exports, 'a-1.csv'));
  expect(() => takeOverFiles(dataDir, folder)).toThrow(
    `'${join(dataDir, 'exports', 'a-1.csv')}' in DATA_DIR cannot be used`,
  );
  expect(existsSync(join(dataDir, 'exports', 'a-1.csv'))).toBe(true);
  writeFileSync(join(dataDir, 'tenants', 'file'), '');
  expect(() => makeTenantFolder(dataDir, 'file')).toThrow(/^'.*' in DATA_DIR cannot be used: /);
});

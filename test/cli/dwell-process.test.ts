import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '#jest';
import { dwellProcess, folderOfProcesses } from '../support/dwell-process.ts';
import { exportFile, jiraIssue } from '../support/jira-export.ts';
import { runProcess } from '../support/run-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('a token is all that is printed, so that it can be piped', async () => {
  const { out, err, code } = await dwellProcess(await folderOfProcesses(), 'token', '--user', 'ada').ended;
  expect([err, code]).toEqual(['', 0]);
  expect(out).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/);
});

test('an import with an unreadable file exits with 1 and shows no progress where nobody watches', async () => {
  const dataDir = await folderOfProcesses();
  const files = [exportFile([jiraIssue('DEMO-1').onCloud()]), 'nowhere.json'];
  const { out, err, code } = await dwellProcess(dataDir, 'import', ...files).ended;
  expect([err, code]).toEqual(['', 1]);
  expect(out.split('\n')).toEqual([
    'Issues           1',
    'Changes          0',
    'Cut histories    0',
    'Rejected entries 0',
    'Unreadable files 1',
    '  nowhere.json  there is no such file',
    '',
  ]);
});

test('a failure has nothing that commands a terminal, whatever it repeats', async () => {
  const named = dwellProcess(await folderOfProcesses(), 'restore', '\u001b[2J\u009b31m.db');
  expect((await named.ended).err).toBe(
    "FILE ' [2J 31m.db' is not a file. Try: a backup, such as dwell-backup.db.\n",
  );
});

test('doctor goes on where .env cannot be read, which ends every other command with a sentence', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, '.env'));
  const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
  const inFolder = `data:text/javascript,process.chdir(${JSON.stringify(folder)})`;
  const type = (word: string) => runProcess(['--import', inFolder, main, 'dwell', word], { PORT: '0' }).ended;
  const examined = await type('doctor');
  expect(examined.out).toMatch(/^✗ Settings +\S+\/\.env cannot be read \(\w+\)\./);
  expect(examined.out).toMatch(/^– Store +none in /m);
  expect(examined.out).toMatch(/\n1 problem\.\n$/);
  expect([examined.err, examined.code]).toEqual(['', 1]);
  const { out, err, code } = await type('tokens');
  expect([out, code]).toEqual(['', 1]);
  expect(err).toMatch(/^The file \.env cannot be read: \w+\.\n$/);
});

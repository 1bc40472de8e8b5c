import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '#jest';
import { temporaryFolder } from './support/temporary-folder.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

test('a run leaves nothing in the temporary folder', async () => {
  const folder = temporaryFolder();
  const { stderr } = await promisify(execFile)(
    process.execPath,
    ['node_modules/jest/bin/jest.js', '--runInBand', 'test/store/period-work.test.ts'],
    { cwd: root, env: { ...process.env, TMPDIR: folder } },
  );
  expect(stderr).toContain('PASS test/store/period-work.test.ts');
  expect(readdirSync(folder)).toEqual([]);
});

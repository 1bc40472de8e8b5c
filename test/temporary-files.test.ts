import { execFile } from 'node:child_process';
import { chmodSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '#jest';
import { temporaryFolder } from './support/temporary-folder.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

test('a run leaves nothing in the temporary folder', async () => {
  const folder = temporaryFolder();
  // PostgreSQL, which another user runs, has its files in it.
  chmodSync(folder, 0o711);
  const { stderr } = await promisify(execFile)(
    process.execPath,
    ['node_modules/jest/bin/jest.js', '--runInBand', 'test/store/stamps.test.ts'],
    { cwd: root, env: { ...process.env, TMPDIR: folder } },
  );
  for (const engine of ['dwell', 'postgres'])
    expect(stderr).toContain(`PASS ${engine} test/store/stamps.test.ts`);
  expect(readdirSync(folder)).toEqual([]);
});

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '#jest';
import { compiledProgram } from '../support/compiled-program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const launcher = join(root, bin.dwell);

/** What a Node says of itself that cannot run the program. */
const older = [
  '--import',
  'data:text/javascript,Object.defineProperty(process.versions, "node", { value: "20.0.0" })',
];

/** Starts the launcher in a folder of its own, as npx does. */
function launch(
  args: readonly string[],
  { flags = [], file = launcher }: { flags?: string[]; file?: string } = {},
) {
  const child = spawn(process.execPath, [...flags, file, ...args], {
    cwd: temporaryFolder(),
    env: { ...compiledProgram, DATA_DIR: temporaryFolder(), TIME_ZONE: 'UTC' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const read = { out: '', err: '' };
  child.stdout.on('data', (text) => {
    read.out += text;
  });
  child.stderr.on('data', (text) => {
    read.err += text;
  });
  return { child, ends: once(child, 'close').then(([code, signal]) => ({ ...read, code, signal })) };
}

test('package.json names a launcher that can be executed', () => {
  expect(statSync(launcher).mode & 0o111).toBe(0o111);
  expect(readFileSync(launcher, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
});

test.each([
  ['this Node', []],
  ['the Node of node_modules', older],
])('%s runs the program, which prints a token and nothing else', async (_, flags) => {
  const { out, err, code } = await launch(['token', '--user', 'ada'], { flags }).ends;
  expect([err, code]).toEqual(['', 0]);
  expect(out).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/);
});

test('the exit code and standard error are those of the program', async () => {
  const { out, err, code } = await launch(['tokken']).ends;
  expect([out, err, code]).toEqual(['', "Bad request: Unknown command 'tokken'. Try: token.\n", 1]);
});

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  '%s ends the program, and the launcher with it',
  async (name) => {
    const pipe = join(temporaryFolder(), 'issues.json');
    execFileSync('mkfifo', [pipe]);
    const { child, ends } = launch(['import', pipe]);
    // Opens once the program reads it.
    const written = await open(pipe, 'w');
    child.kill(name);
    expect(await ends).toEqual({ out: '', err: '', code: null, signal: name });
    await expect(written.write('[]')).rejects.toMatchObject({ code: 'EPIPE' });
    await written.close();
  },
);

test('where there is no Node that can run the program, one sentence says how to get it', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'bin'));
  copyFileSync(launcher, join(folder, bin.dwell));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const { out, err, code } = await launch(['tokens'], { flags: older, file: join(folder, bin.dwell) }).ends;
  expect([out, code]).toEqual(['', 1]);
  expect(err).toMatch(
    /^Dwell needs Node 24, and this is v\S+\. Try: npm install in \S+, which brings it\.\n$/,
  );
});

import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '#jest';
import { runProcess } from '../support/run-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const launcher = join(root, bin.dwell);

/** What a Node says of itself that cannot run the program. */
const older = [
  '--import',
  'data:text/javascript,Object.defineProperty(process.versions, "node", { value: "20.0.0" })',
];

/** What one says of itself that cannot become another process. */
const onWindows = [
  '--import',
  'data:text/javascript,Object.defineProperty(process, "platform", { value: "win32" })',
];

/** Starts the launcher in a folder of its own, as npx does. */
function launch(
  args: readonly string[],
  { flags = [], file = launcher }: { flags?: string[]; file?: string } = {},
) {
  return runProcess([...flags, file, ...args], { DATA_DIR: temporaryFolder(), TIME_ZONE: 'UTC' });
}

test('package.json names a launcher that can be executed', () => {
  expect(statSync(launcher).mode & 0o111).toBe(0o111);
  expect(readFileSync(launcher, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
});

test.each([
  ['this Node', []],
  ['the Node of node_modules', older],
  ['a Node on Windows', onWindows],
])('%s runs the program, which prints its help and nothing else', async (_, flags) => {
  const { out, err, code } = await launch(['--help'], { flags }).ended;
  expect([err, code]).toEqual(['', 0]);
  expect(out).toMatch(/^Usage: npx dwell COMMAND/);
});

test('the exit code and standard error are those of the program', async () => {
  const { out, err, code } = await launch(['tokken']).ended;
  expect([out, err, code]).toEqual(['', 'Unknown command "tokken". Try: token.\n', 1]);
});

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  '%s ends the program, and the launcher with it',
  async (name) => {
    const pipe = join(temporaryFolder(), 'issues.json');
    execFileSync('mkfifo', [pipe]);
    const { process, ended } = launch(['import', pipe]);
    // Opens once the program reads it.
    const written = await open(pipe, 'w');
    process.kill(name);
    expect(await ended).toEqual({ out: '', err: '', code: null, signal: name });
    await expect(written.write('[]')).rejects.toMatchObject({ code: 'EPIPE' });
    await written.close();
  },
);

test('where there is no Node that can run the program, one sentence says how to get it', async () => {
  const folder = withoutNode();
  const { out, err, code } = await launch(['tokens'], { flags: older, file: join(folder, bin.dwell) }).ended;
  expect([out, code]).toEqual(['', 1]);
  expect(err).toMatch(new RegExp(`^${needed}\\n$`));
});

test('npm start says the same where Node was left out of the install', async () => {
  const folder = withoutNode();
  const before = join(folder, 'before.mjs');
  writeFileSync(before, "Object.defineProperty(process.versions, 'node', { value: '20.0.0' })");
  const { stderr, status } = spawnSync('npm', ['start'], {
    cwd: folder,
    env: { ...process.env, NODE_OPTIONS: `--import ${before}` },
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  expect(stderr).toMatch(new RegExp(`^${needed}$`, 'm'));
});

test('an install links the Node it brought, where npm did not', () => {
  const folder = withoutNode();
  const link = join(folder, 'node_modules/.bin/node');
  const install = () => execFileSync(process.execPath, [join(folder, 'bin/after-install.js')]);
  install();
  expect(existsSync(link)).toBe(false);
  const { platform, arch } = process;
  const family = platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node';
  const binary = join(folder, `node_modules/${family}-${platform}-${arch}/bin/node`);
  mkdirSync(dirname(binary), { recursive: true });
  writeFileSync(join(dirname(binary), '../package.json'), '{}');
  symlinkSync(process.execPath, binary);
  install();
  install();
  expect(execFileSync(link, ['--version'], { encoding: 'utf8' }).trim()).toBe(process.version);
  const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  expect(scripts.postinstall).toBe('node bin/after-install.js');
});

/** The program's package without what it installs. */
function withoutNode(): string {
  const folder = temporaryFolder();
  cpSync(join(root, 'bin'), join(folder, 'bin'), { recursive: true });
  copyFileSync(join(root, 'package.json'), join(folder, 'package.json'));
  return folder;
}

const needed =
  'Dwell needs Node 24, and this is v\\S+\\. Try: npm install in \\S+, which brings it, or install Node 24\\.';

test('an install takes away builds of ECharts for browsers, and leaves what is imported', () => {
  const folder = withoutNode();
  const echarts = join(folder, 'node_modules/echarts');
  for (const part of ['dist', 'lib']) {
    mkdirSync(join(echarts, part), { recursive: true });
    writeFileSync(join(echarts, part, 'echarts.js'), '');
  }
  execFileSync(process.execPath, [join(folder, 'bin/after-install.js')]);
  expect(readdirSync(echarts)).toEqual(['lib']);
});

test('the lock file vouches for the Node that runs, which no script fetches', () => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const { dependencies, optionalDependencies } = packages[''];
  expect(Object.keys(dependencies)).not.toContain('node');
  const nodes = Object.entries<string>(optionalDependencies).map(([name, version]) => {
    const {
      os,
      cpu,
      integrity,
      version: locked,
      hasInstallScript = false,
    } = packages[`node_modules/${name}`];
    expect([locked, hasInstallScript]).toEqual([version, false]);
    return [os, cpu, version, integrity?.slice(0, 7)];
  });
  const [version] = Object.values<string>(optionalDependencies);
  expect(nodes).toEqual([
    // npm's registry at hand had no packages of this version for macOS.
    ['darwin', 'arm64', version, undefined],
    ['darwin', 'x64', version, undefined],
    ['linux', 'arm64', version, 'sha512-'],
    ['linux', 'x64', version, 'sha512-'],
    ['win32', 'x64', version, 'sha512-'],
  ]);
  const others = Object.entries<{ integrity?: string; link?: boolean }>(packages).filter(
    ([path, { integrity, link }]) =>
      path.startsWith('node_modules/') && !path.includes('/node-') && integrity === undefined && !link,
  );
  expect(others).toEqual([]);
  // The image has the same one, and once.
  const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');
  expect(dockerfile).toMatch(
    new RegExp(`^ARG BASE=node:${version}-slim@sha256:[0-9a-f]{64}\nFROM \\$\\{BASE\\}$`, 'm'),
  );
  expect(dockerfile).toMatch(/^RUN npm ci --omit=dev .*rm -rf node_modules\/node-linux-/ms);
});

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { expect, test } from '#jest';

const begun = z.object({
  pid: z.number(),
  options: z.array(z.string()),
  malloc: z.array(z.string().nullable()),
});

/** Every process that begins says with what. */
const said =
  'data:text/javascript,const { MALLOC_MMAP_THRESHOLD_: size = null, MALLOC_ARENA_MAX: arenas = null } = process.env; ' +
  'console.error(JSON.stringify({ pid: process.pid, options: process.execArgv, malloc: [size, arenas] }));';

function processesOf(
  script: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
) {
  const path = fileURLToPath(new URL(`../../bin/${script}`, import.meta.url));
  const options = { encoding: 'utf8', env: { ...environment, NODE_OPTIONS: `--import "${said}"` } } as const;
  const { stdout, stderr, status } = spawnSync(process.execPath, [path, ...args], options);
  const lines = stderr.split('\n').filter((line) => line.startsWith('{'));
  return { stdout, status, processes: lines.map((line) => begun.parse(JSON.parse(line))) };
}

test('what starts becomes the program, whose large arrays go back to the system', () => {
  const { stdout, status, processes } = processesOf('start.js', ['dwell', '--help']);
  expect(stdout).toContain('Usage: npx dwell COMMAND');
  expect(status).toBe(0);
  const [first, program] = processes;
  expect(processes).toHaveLength(2);
  expect(first?.malloc).toEqual([null, null]);
  expect(program).toEqual({
    pid: first?.pid,
    options: ['--max-semi-space-size=16', '--v8-pool-size=0', '--expose-gc'],
    malloc: ['131072', '1'],
  });
});

test('what the environment sets stays as it is, for commands as well', () => {
  const { status, processes } = processesOf('dwell.js', ['--help'], { MALLOC_ARENA_MAX: '4' });
  expect(status).toBe(0);
  expect(processes.at(-1)?.malloc).toEqual(['131072', '4']);
});

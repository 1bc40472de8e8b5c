import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from '#jest';
import { aStore } from '../support/a-store.ts';
import { compiledProgram, quickProgram } from '../support/compiled-program.ts';
import { runs } from '../support/soak.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const program = fileURLToPath(new URL('../support/settings-process.ts', import.meta.url));
const ROUNDS = runs(30);
/** Long enough for a line to reach both. */
const BARRIER_MS = 8;

const running = new Set<() => Promise<void>>();
afterEach(async () => {
  await Promise.all([...running].map((end) => end()));
  running.clear();
});

/** A process that creates settings in a folder; `next` is the next line it writes. */
function settingsProcess(dataDir: string) {
  const child = spawn(process.execPath, [...quickProgram, program, dataDir], {
    env: compiledProgram,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  running.add(async () => {
    child.stdin.end();
    await closed;
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    next: async () => String((await lines.next()).value),
    create: (at: number, name: string) => void child.stdin.write(`${at} ${name}\n`),
  };
}

test('of two processes that give one name at once, one succeeds and the other is refused', async () => {
  const dataDir = temporaryFolder();
  const processes = [settingsProcess(dataDir), settingsProcess(dataDir)];
  for (const { next } of processes) expect(await next()).toBe('ready');
  for (let round = 0; round < ROUNDS; round += 1) {
    // People would take the two for one name.
    const names = [`Office ${round}`, `OFFICE ${round}`];
    const at = performance.timeOrigin + performance.now() + BARRIER_MS;
    for (const [i, { create }] of processes.entries()) create(at, names[i] ?? '');
    const answers = await Promise.all(
      processes.map(async ({ next }): Promise<readonly [string, string]> => JSON.parse(await next())),
    );
    for (const [kind, sentence] of [
      [
        0,
        (name: string) =>
          `name '${name}' is the name of calendar '${101 + round}'. Try: a name that no calendar has in any case.`,
      ],
      [
        1,
        (name: string) =>
          `name '${name}' is the name of another parameter set of 'ada'. Try: a name that none of them has in any case.`,
      ],
    ] as const) {
      const loser = answers.findIndex((answer) => answer[kind] !== 'created');
      expect(answers[1 - loser]?.[kind]).toBe('created');
      expect(answers[loser]?.[kind]).toBe(`bad-request: ${sentence(names[loser] ?? '')}`);
    }
  }
  const store = await aStore(dataDir);
  expect(await store.calendars.list()).toHaveLength(ROUNDS);
  expect(await store.parameterSets.list()).toHaveLength(ROUNDS);
});

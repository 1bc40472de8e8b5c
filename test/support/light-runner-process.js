import { setImmediate as nextTurn } from 'node:timers/promises';
import { resolveQuickly } from '../../src/compose/quick-imports.ts';

// Suites import the whole program again and again under names of their own.
resolveQuickly();

const worker = new URL('./worker-runner.js', import.meta.resolve('jest-light-runner')).href;
let loaded;

/** What failed where no test waited for it: the suite that runs is to blame. */
let astray = [];
for (const event of ['uncaughtException', 'unhandledRejection']) {
  process.on(event, (error) => astray.push(error));
}

// Suites come one at a time; the process stays for as long as it is connected.
process.on('message', async ({ settings, path }) => {
  try {
    astray = [];
    loaded ??= load(settings);
    const run = await loaded;
    const result = await run(path);
    await nextTurn();
    const [error] = astray;
    if (error !== undefined) throw error;
    process.send({ result });
  } catch (error) {
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    process.send({ error: { message, stack } });
  }
});
// Without this, a suite that listens to signals would outlive a run that was ended.
process.once('disconnect', () => setTimeout(() => process.exit(), 1_000).unref());

async function load(settings) {
  const { default: run, setWorkerData } = await import(worker);
  setWorkerData(settings);
  return run;
}

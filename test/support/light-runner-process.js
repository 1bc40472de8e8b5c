import { resolveQuickly } from '../../src/quick-imports.ts';

// Suites import the whole program again and again under names of their own.
resolveQuickly();

const worker = new URL('./worker-runner.js', import.meta.resolve('jest-light-runner')).href;
let loaded;

// Suites come one at a time; the process stays for as long as it is connected.
process.on('message', async ({ settings, path }) => {
  try {
    loaded ??= load(settings);
    const run = await loaded;
    process.send({ result: await run(path) });
  } catch ({ message, stack }) {
    process.send({ error: { message, stack } });
  }
});

async function load(settings) {
  const { default: run, setWorkerData } = await import(worker);
  setWorkerData(settings);
  return run;
}

import { createRunner } from 'jest-light-runner';
import Tinypool from 'tinypool';

const LightRunner = createRunner({ runtime: 'child_process' });

/**
 * jest-light-runner with processes that all start. In its version 0.8.2 the first process that asks for its settings uses
 * up the answers for all, and one that is still starting then waits for ever; here every request is answered.
 */
export default class extends LightRunner {
  _runTest(test) {
    const projectConfig = test.context.config;
    const runners = this._testRunners;
    if (this._runtime === 'child_process' && !runners.has(projectConfig)) {
      const workerData = { globalConfig: this._globalConfig, projectConfig, runtime: this._runtime };
      const { maxWorkers } = this._globalConfig;
      const pool = new Tinypool({
        filename: new URL('./worker-runner.js', import.meta.resolve('jest-light-runner')).href,
        runtime: 'child_process',
        minThreads: maxWorkers,
        maxThreads: maxWorkers,
        env: process.env,
        trackUnmanagedFds: false,
        workerData,
      });
      const listeners = new Set();
      const channel = {
        onMessage: (listener) => listeners.add(listener),
        postMessage(message) {
          if (message !== 'jest-light-runner-get-worker-data') return;
          for (const listener of listeners) listener({ type: 'jest-light-runner-worker-data', workerData });
        },
      };
      runners.set(projectConfig, { pool, run: ({ path }) => pool.run(path, { channel }) });
    }
    return super._runTest(test);
  }
}

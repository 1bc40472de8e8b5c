import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { makeTemplate, startPostgres } from './postgres-server.js';

const program = fileURLToPath(new URL('./light-runner-process.js', import.meta.url));

/** What a process that was let go of has to end what its suites left open. */
const LAST_MS = 200;

/**
 * Runs suites by jest-light-runner's worker, in as many processes as jest has workers. The processes are our own, because
 * its `child_process` runtime, in 0.8.2, gives the settings to all as soon as one asks: one that has not asked by then waits
 * for ever. Threads would not do, since a suite sets its zone by TZ. The suites of the project `postgres` come last, in
 * processes of their own whose stores are databases of a server that is there as long as they run.
 */
export default class LightRunner {
  #globalConfig;

  constructor(globalConfig) {
    this.#globalConfig = globalConfig;
  }

  async runTests(tests, _watcher, onStart, onResult, onFailure) {
    const isOnPostgres = (test) => test.context.config.displayName?.name === 'postgres';
    await this.#run(
      tests.filter((test) => !isOnPostgres(test)),
      {},
      onStart,
      onResult,
      onFailure,
    );
    const onPostgres = tests.filter(isOnPostgres);
    if (onPostgres.length === 0) return;
    const server = await startPostgres();
    try {
      await makeTemplate(server.url);
      const environment = { STORE_ENGINE: 'postgres', POSTGRES_SERVER: server.url };
      await this.#run(onPostgres, environment, onStart, onResult, onFailure);
    } finally {
      await server.stop();
    }
  }

  async #run(tests, environment, onStart, onResult, onFailure) {
    const waiting = [...tests];
    const work = async (_, index) => {
      let child = null;
      for (let test = waiting.shift(); test !== undefined; test = waiting.shift()) {
        await onStart(test);
        child ??= this.#start(test.context.config, { ...environment, JEST_WORKER_ID: String(index + 1) });
        const { result, error } = await child.run(test.path);
        if (error === undefined) await onResult(test, result);
        else await onFailure(test, error);
        if (child.hasEnded()) child = null;
      }
      await child?.end();
    };
    await Promise.all(Array.from({ length: Math.min(this.#globalConfig.maxWorkers, tests.length) }, work));
  }

  /** A process that runs one suite after the other. */
  #start(projectConfig, environment) {
    const child = fork(program, { env: { ...process.env, ...environment } });
    const ended = once(child, 'exit');
    const settings = { globalConfig: this.#globalConfig, projectConfig, runtime: 'child_process' };
    const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
    return {
      hasEnded,
      async run(path) {
        const answered = once(child, 'message');
        child.send({ settings, path });
        const lost = ended.then(([code, signal]) => [
          { error: { message: `The process ended with ${code ?? signal}`, stack: '' } },
        ]);
        const [answer] = await Promise.race([answered, lost]);
        return answer;
      },
      async end() {
        child.disconnect();
        const late = setTimeout(() => child.kill('SIGKILL'), LAST_MS);
        await ended;
        clearTimeout(late);
      },
    };
  }
}

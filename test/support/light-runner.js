import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { makeTemplate, startPostgres } from './postgres-server.js';

const program = fileURLToPath(new URL('./light-runner-process.js', import.meta.url));

async function startWithTemplate() {
  const server = await startPostgres();
  await makeTemplate(server.url);
  return server;
}

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
    const waiting = [...tests.filter((test) => !isOnPostgres(test)), ...tests.filter(isOnPostgres)];
    let server = null;
    const work = async (_, index) => {
      let child = null;
      for (let test = waiting.shift(); test !== undefined; test = waiting.shift()) {
        await onStart(test);
        const { config } = test.context;
        if (child !== null && child.config !== config) {
          await child.end();
          child = null;
        }
        if (isOnPostgres(test)) server ??= startWithTemplate();
        const engine = isOnPostgres(test)
          ? { STORE_ENGINE: 'postgres', POSTGRES_SERVER: (await server).url }
          : {};
        child ??= this.#start(config, { ...engine, JEST_WORKER_ID: String(index + 1) });
        const { result, error } = await child.run(test.path);
        if (error === undefined) await onResult(test, result);
        else await onFailure(test, error);
        if (child.hasEnded()) child = null;
      }
      await child?.end();
    };
    const workers = Math.min(this.#globalConfig.maxWorkers, tests.length);
    try {
      await Promise.all(Array.from({ length: workers }, work));
    } finally {
      await (await server)?.stop();
    }
  }

  /** A process that runs one suite after the other. */
  #start(projectConfig, environment) {
    const child = fork(program, { env: { ...process.env, ...environment } });
    const ended = once(child, 'exit');
    const settings = { globalConfig: this.#globalConfig, projectConfig, runtime: 'child_process' };
    const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
    return {
      config: projectConfig,
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

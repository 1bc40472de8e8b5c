import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chmodSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { compiledProgram } from './support/compiled-program.ts';
import { exportFile, jiraIssue, searchResult } from './support/jira-export.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const running = new Set<ChildProcess>();
afterAll(() => {
  for (const child of running) child.kill('SIGKILL');
});

/** Starts the program as `npm start` and `npx dwell` do. */
function start(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [main, ...args], {
    env: {
      ...compiledProgram,
      PATH: process.env.PATH,
      PORT: '0',
      DATA_DIR: temporaryFolder(),
      TIME_ZONE: 'UTC',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    err += chunk;
  });
  const matches = async (pattern: RegExp, text: () => string, stream: NodeJS.ReadableStream) => {
    for (;;) {
      const found = pattern.exec(text());
      if (found !== null) return found;
      await Promise.race([
        once(stream, 'data'),
        once(child, 'exit').then(() => {
          throw new Error(`ended before it said ${pattern}: ${out}${err}`);
        }),
      ]);
    }
  };
  return {
    child,
    /** Resolves when the output matches. */
    says: (pattern: RegExp) => matches(pattern, () => out, child.stdout),
    /** Resolves when the log matches. */
    warns: (pattern: RegExp) => matches(pattern, () => err, child.stderr),
    async ends(): Promise<{ code: number | null; out: string; err: string }> {
      const [code] = child.exitCode === null ? await once(child, 'close') : [child.exitCode];
      return { code, out, err };
    },
  };
}

/** An option that has a process import a script before the program. */
const importing = (script: string) => `--import=data:text/javascript,${encodeURIComponent(script)}`;

test('a reader who leaves after the first line does not disturb doctor', () => {
  const { stdout, stderr } = spawnSync(
    'sh',
    ['-c', '"$0" "$1" dwell doctor | head -1', process.execPath, main],
    {
      env: { ...compiledProgram, PATH: process.env.PATH, DATA_DIR: temporaryFolder() },
      encoding: 'utf8',
    },
  );
  expect([stdout, stderr]).toEqual([expect.stringMatching(/^✓ Settings .*\n$/), '']);
});

describe('npm start, after a token was made', () => {
  let token: Awaited<ReturnType<ReturnType<typeof start>['ends']>>;
  let dwell: ReturnType<typeof start>;
  let address: string;
  beforeAll(async () => {
    const DATA_DIR = temporaryFolder();
    token = await start(['dwell', 'token', '--user', 'ada', '--expires', '90d'], { DATA_DIR }).ends();
    // As a package may do it at any time: a promise that no one waits for.
    const fault = "process.on('SIGUSR2', () => Promise.reject(new Error('left alone')));";
    dwell = start([], { DATA_DIR, METRICS_PORT: '0', NODE_OPTIONS: importing(fault) });
    [, address = ''] = await dwell.says(/ready at (http:\/\/localhost:\d+) and shows a fictional company/);
  });

  test('the command line printed a token and nothing else', () => {
    expect(token).toEqual({ code: 0, out: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+\n$/), err: '' });
  });

  test('says where the metrics are that have a port of their own', async () => {
    const [, metrics = ''] = await dwell.says(/\nIts metrics are at (http:\S+:\d+\/metrics)\.\n/);
    expect(await (await fetch(metrics)).text()).toContain('dwell_');
  });

  test('serves the playground', async () => {
    const page = await fetch(`${address}/`);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('/playground/page/main.js');
  });

  test('a failure in the background that nothing handles is logged, and the program goes on', async () => {
    dwell.child.kill('SIGUSR2');
    await dwell.warns(/"message":"left alone".*"msg":"a failure that nothing handled"/);
    expect((await fetch(`${address}/readyz`)).status).toBe(200);
  });

  test('a signal to stop ends it, and cuts off nothing that was sent before', async () => {
    const get = (path: string) =>
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: TISJWT ${token.out.trim()}\r\n\r\n`;
    const issue = get('/rest/issue?issueKey=APP-350&columnsBy=statusDuration');
    /** A connection, whether it is cut off, and the statuses it is answered with. */
    const open = async () => {
      const socket = connect(Number(new URL(address).port), '127.0.0.1');
      let answers = '';
      let failure: Error | null = null;
      socket.on('data', (chunk) => {
        answers += chunk;
      });
      socket.on('error', (error) => {
        failure = error;
      });
      const statuses = () => [...answers.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status);
      const closed = new Promise((resolve) => socket.once('close', resolve));
      await once(socket, 'connect');
      return {
        send: (text: string) => new Promise((resolve) => socket.write(text, resolve)),
        answered: () => once(socket, 'data'),
        ends: () => closed.then(() => ({ statuses: statuses(), failure })),
      };
    };
    const kept = await Promise.all(Array.from({ length: 32 }, open));
    for (const one of kept) {
      await one.send(get('/healthz'));
      await one.answered();
    }

    // While it is stopped the system accepts connections and takes what is sent: all of it is there when the signal is.
    dwell.child.kill('SIGSTOP');
    const fresh = await Promise.all(Array.from({ length: 31 }, open));
    for (const [index, one] of [...kept, ...fresh].entries()) await one.send(issue.repeat((index % 2) + 1));
    dwell.child.kill('SIGTERM');
    dwell.child.kill('SIGCONT');

    const ends = await Promise.all([...kept, ...fresh].map((one) => one.ends()));
    const wanted = (index: number) => [
      ...(index < kept.length ? ['200'] : []),
      ...Array((index % 2) + 1).fill('200'),
    ];
    expect(ends).toEqual(ends.map((_, index) => ({ statuses: wanted(index), failure: null })));
    expect((await dwell.ends()).code).toBe(0);
  });
});

describe('over issues of your own, on a machine in Berlin, beside a Redis that is away', () => {
  let dwell: ReturnType<typeof start>;
  let link: string;
  let address: string;
  beforeAll(async () => {
    const sayZone =
      'process.on("exit", () => console.log("local zone", Intl.DateTimeFormat().resolvedOptions().timeZone))';
    dwell = start([], {
      TZ: 'Europe/Berlin',
      TIME_ZONE: '',
      TRACKER: 'file',
      KEYV_URL: 'redis://ada:not-to-be-told@127.0.0.1:9',
      NODE_OPTIONS: importing(sayZone),
    });
    [, link = '', address = ''] = await dwell.says(
      /^Open ((http:\/\/localhost:\d+)\/\?code=[\da-f]{32}) in a browser: a playground takes the place of Slack\./m,
    );
  });

  test('the playground opens with the link that the start prints', async () => {
    expect((await fetch(`${address}/`)).status).toBe(403);
    expect((await fetch(link, { redirect: 'manual' })).status).toBe(303);
    await dwell.warns(
      new RegExp(`"msg":"The playground opens only with this link: ${link.replace('?', '\\?')}"`),
    );
  });

  test('answers keep Berlin time', async () => {
    const refused = await fetch(`${address}/rest/issues/weekly`);
    const { time } = (await refused.json()) as { time: string };
    const ahead = Date.parse(`${time}Z`) - Date.parse(refused.headers.get('date') ?? '');
    expect([1, 2]).toContain(Math.round(ahead / 3_600_000));
  });

  test('the Redis is a note', async () => {
    const answer = await fetch(`${address}/readyz`);
    expect([answer.status, await answer.json()]).toEqual([
      200,
      {
        ...{ status: 'ready', redis: 'unreachable' },
        redisReason: 'The Redis of KEYV_URL at 127.0.0.1:9 cannot be used: ECONNREFUSED.',
      },
    ]);
  });

  test('the process ended in peace, counted in UTC and logged no password', async () => {
    dwell.child.kill('SIGTERM');
    const { code, out, err } = await dwell.ends();
    expect(code).toBe(0);
    expect(out).toContain('local zone UTC');
    expect(out + err).not.toContain('not-to-be-told');
  });
});

describe('what Node compiled', () => {
  /** Starts as an installation does, which names no folder for it. */
  const startWith = (environment: Readonly<Record<string, string>>) =>
    start(['dwell', 'token', '--user', 'ada'], { NODE_COMPILE_CACHE: '', ...environment }).ends();

  const DATA_DIR = temporaryFolder();
  beforeAll(async () => {
    expect((await startWith({ DATA_DIR })).code).toBe(0);
  });

  test('is kept in DATA_DIR for the next start', async () => {
    const kept = () => readdirSync(join(DATA_DIR, 'cache', 'code'), { recursive: true }).sort();
    const first = kept();
    expect(first.length).toBeGreaterThan(100);
    expect((await startWith({ DATA_DIR })).code).toBe(0);
    expect(kept()).toEqual(first);
  });

  test('is not kept by an import, which comes first and only once', async () => {
    const ofImport = temporaryFolder();
    const words = ['dwell', 'import', exportFile(searchResult(jiraIssue('DEMO-1').onCloud()))];
    const { code, out } = await start(words, { NODE_COMPILE_CACHE: '', DATA_DIR: ofImport }).ends();
    expect([code, out]).toEqual([0, expect.stringMatching(/^Issues +1$/m)]);
    expect(existsSync(join(ofImport, 'cache'))).toBe(false);
  });

  test('is found by an import and by its thread, and none of it is made again', async () => {
    const file = exportFile(searchResult(jiraIssue('DEMO-1').onCloud()));
    // A thread is for files from 16 MiB on.
    appendFileSync(file, ' '.repeat(2 ** 24));
    const environment = { NODE_COMPILE_CACHE: '', NODE_DEBUG_NATIVE: 'COMPILE_CACHE', DATA_DIR };
    const { code, out, err } = await start(['dwell', 'import', file], environment).ends();
    expect([code, out]).toEqual([0, expect.stringMatching(/^Issues +1$/m)]);
    // Both write at once, so that a line may have parts of another within; only the thread compiles its own file.
    expect(err).toContain('scan-worker.ts');
    expect(err.split('accepted').length).toBeGreaterThan(100);
    expect(err).not.toContain('rejected');
  });

  test('is not taken from a folder in which others can write, and the program runs without it', async () => {
    const open = temporaryFolder();
    const folder = join(open, 'cache', 'code');
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o777);
    const { code, out } = await start(['dwell'], { NODE_COMPILE_CACHE: '', DATA_DIR: open }).ends();
    expect([code, out]).toEqual([0, expect.stringContaining('Usage: npx dwell COMMAND')]);
    expect(readdirSync(folder)).toEqual([]);
  });
});

test('the command line explains a mistake in one sentence', async () => {
  expect(await start(['dwell', 'tokken']).ends()).toEqual({
    ...{ code: 1, out: '' },
    err: 'Unknown command "tokken". Try: token.\n',
  });
});

test('without a playground the start says why, and how to open it', async () => {
  const dwell = start([], { BASE_URL: 'https://dwell.example.com' });
  const [said] = await dwell.says(/Only REST is served.*/);
  expect(said).toBe(
    'Only REST is served, without the playground, because BASE_URL https://dwell.example.com is not on this machine; PLAYGROUND=on opens it to everyone who can reach it under the address in BASE_URL.',
  );
});

describe('a start that cannot be', () => {
  test('a wrong setting', async () => {
    const { code, err } = await start([], { PORT: 'http' }).ends();
    expect(code).toBe(1);
    expect(err).toBe("PORT 'http' is not known. Try: a whole number from 0 to 65535.\n");
  });

  test('a port that another program uses', async () => {
    const other = createServer();
    other.listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const port = typeof address === 'object' && address ? String(address.port) : '';
    const { code, err } = await start([], { PORT: port }).ends();
    other.close();
    expect(code).toBe(1);
    expect(err).toBe(
      `PORT ${port} on HOST 127.0.0.1 cannot be opened: another program uses it; choose another PORT.\n`,
    );
  });

  test('a folder that is a file', async () => {
    const { code, err } = await start([], { DATA_DIR: main }).ends();
    expect(code).toBe(1);
    expect(err).toMatch(/^The store in DATA_DIR '.*main\.ts' cannot be opened: .+\n$/);
  });
});

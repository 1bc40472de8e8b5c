import { Agent, request as send } from 'node:http';
import { connect } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from '#jest';
import { dialectAt, failureSchemas } from '../../src/http/failures.ts';
import { routes } from '../../src/http/resources/index.ts';
import { fixture } from '../support/fixture.ts';
import { runs } from '../support/soak.ts';
import { startDwell, type TestDwell } from '../support/start-dwell.ts';
import { type AnyRequest, anyBytes, anyRequest } from './arbitrary-request.ts';

const REQUESTS = runs(2_000);
const RAW = runs(200);
const SEED = 20_260_318;
const PARALLEL = 20;
const DEADLINE_MS = 60_000;

const documented = new Set([200, 204, 400, 401, 403, 404, 405, 406, 413, 415, 429, 431]);

let dwell: TestDwell;
let agent: Agent;
beforeAll(async () => {
  dwell = await startDwell({ at: '2022-08-01T00:00:00Z' });
  await dwell.types(
    'import',
    fixture('devlake-jira-cloud.issues.json'),
    fixture('devlake-jira-cloud.statuses.json'),
  );
  agent = new Agent({ keepAlive: true, maxSockets: PARALLEL });
});
afterAll(async () => {
  agent.destroy();
  await dwell.stop();
});

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** Why an answer from a path is not what is promised; null where it is. */
function answerProblem({ status, type, text }: Answer, mayBeEmpty: boolean, path = ''): string | null {
  if (!documented.has(status)) return `status ${status} is not documented: ${text.slice(0, 300)}`;
  if (/\bat .*\.(ts|js|mjs):\d+|node_modules|node:internal|file:\/\//.test(text)) {
    return `tells of our insides: ${text.slice(0, 300)}`;
  }
  if (status < 400 || (mayBeEmpty && text === '')) return null;
  if (
    ['/link', '/jira/consent'].includes(path) &&
    [403, 404].includes(status) &&
    type.startsWith('text/html')
  )
    return null;
  if (!type.startsWith('application/json')) return `is ${type} instead of JSON: ${text.slice(0, 300)}`;
  const parsed = failureSchemas[dialectAt(path, routes)].strict().safeParse(JSON.parse(text));
  if (!parsed.success) return `has another shape: ${text.slice(0, 300)}`;
  return parsed.data.status === status ? null : `says ${parsed.data.status} and is ${status}`;
}

function ask({ method, target, headers, body }: AnyRequest): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const { hostname, port } = new URL(dwell.url);
  const length = body === null ? {} : { 'content-length': Buffer.byteLength(body) };
  const outgoing = send(
    { agent, hostname, port, method, path: target, headers: { ...length, ...headers }, timeout: DEADLINE_MS },
    (incoming) => {
      let text = '';
      incoming.setEncoding('utf8').on('data', (part) => {
        text += part;
      });
      incoming.on('end', () =>
        resolve({ status: incoming.statusCode ?? 0, type: incoming.headers['content-type'] ?? '', text }),
      );
      incoming.on('error', reject);
    },
  );
  outgoing.on('timeout', () => outgoing.destroy(new Error('no answer in time')));
  outgoing.on('error', reject);
  outgoing.end(body ?? undefined);
  return promise;
}

/** Writes bytes as they stand and says that nothing follows; null where the connection was closed without a word. */
function write(bytes: Buffer): Promise<Answer | null> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer | null>();
  const { hostname, port } = new URL(dwell.url);
  const socket = connect(Number(port), hostname, () => socket.end(bytes));
  let text = '';
  socket.setTimeout(DEADLINE_MS, () => socket.destroy(new Error('no answer in time')));
  socket.setEncoding('utf8').on('data', (part) => {
    text += part;
  });
  socket.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNRESET' || error.code === 'EPIPE') resolve(readRaw(text));
    else reject(error);
  });
  socket.on('close', () => resolve(readRaw(text)));
  return promise;
}

function readRaw(text: string): Answer | null {
  if (text === '') return null;
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]);
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1]?.trim() ?? '';
  // Another answer may follow.
  const own = Buffer.from(body)
    .subarray(0, Number(header('content-length')))
    .toString();
  return { status, type: header('content-type'), text: own };
}

function tell(thing: unknown): string {
  return JSON.stringify(Buffer.isBuffer(thing) ? thing.toString('latin1') : thing);
}

/** Runs everything, some at a time, and returns what went wrong. */
async function wrongOf<Thing>(
  things: readonly Thing[],
  judge: (thing: Thing) => Promise<string | null>,
): Promise<string[]> {
  const wrong: string[] = [];
  const queue = things.values();
  const work = async () => {
    for (const thing of queue) {
      const why = await judge(thing).catch((error) => String(error));
      if (why !== null) wrong.push(`${tell(thing).slice(0, 600)} → ${why}`);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  return wrong;
}

test('whatever a client sends, the answer is a good one or a failure that is documented', async () => {
  const { Authorization } = await dwell.headerOf('ada', { admin: true });
  const requests = fc.sample(anyRequest, { seed: SEED, numRuns: REQUESTS }).map((one, i) =>
    // One in eight comes without a token of ours.
    i % 8 === 0 ? one : { ...one, headers: { authorization: Authorization, ...one.headers } },
  );
  const statuses = new Map<number, number>();
  const wrong = await wrongOf(requests, async (one) => {
    const answer = await ask(one);
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    return answerProblem(answer, one.method === 'HEAD', one.target.split('?')[0]);
  });
  expect(wrong.slice(0, 10)).toEqual([]);
  // What is asked reaches more than the first check.
  for (const status of [200, 400, 401, 404, 405, 415]) {
    expect([status, (statuses.get(status) ?? 0) > REQUESTS / 100]).toEqual([status, true]);
  }
});

test('bytes that are hardly HTTP are answered in the same shape, or the connection is closed', async () => {
  const messages = fc.sample(anyBytes, { seed: SEED, numRuns: RAW });
  let answered = 0;
  const wrong = await wrongOf(messages, async (bytes) => {
    const answer = await write(bytes);
    if (answer === null) return null;
    answered += 1;
    return answerProblem(answer, false);
  });
  expect(wrong.slice(0, 10)).toEqual([]);
  expect(answered).toBeGreaterThan(RAW / 2);
});

test('after all that it still answers', async () => {
  expect((await dwell.get('/rest/statuses')).status).toBe(200);
  expect((await dwell.get('/readyz')).json).toEqual({ status: 'ready' });
});

import { readFileSync } from 'node:fs';
import { expect, test } from '#jest';
import { tools } from '../../src/mcp/tools/index.ts';
import { dwellProcessReading, folderOfProcesses } from '../support/dwell-process.ts';
import { startDwell } from '../support/start-dwell.ts';
import { suiteDwell } from '../support/suite-dwell.ts';
import { assistantWithProcess } from './assistant.ts';

const dwell = suiteDwell();

const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });

const accepted = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };

async function post(body: string, headers: Readonly<Record<string, string>> = {}, method = 'POST') {
  const answer = await fetch(`${dwell.url}/mcp`, {
    method,
    headers: { ...accepted, ...headers },
    ...(method === 'POST' ? { body } : {}),
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, json: JSON.parse(text) };
}

test('without a token, or with a false one, the answer is 401 and says how to come in', async () => {
  for (const headers of [{}, { Authorization: 'Bearer nonsense' }]) {
    const { status, headers: got, json } = await post(list, headers);
    expect([status, json.jsonrpc, json.error.code]).toEqual([401, '2.0', -32_000]);
    expect(got.get('www-authenticate')).toContain('Bearer realm="Dwell"');
  }
});

test('a token holds after each word that REST takes', async () => {
  const { Authorization } = await dwell.headerOf('bob');
  const token = Authorization.slice('TISJWT '.length);
  const basic = Buffer.from(`bob:${token}`).toString('base64');
  for (const header of [`TISJWT ${token}`, `Bearer ${token}`, `Basic ${basic}`]) {
    const { status, json } = await post(list, { Authorization: header });
    expect([status, json.result.tools.length]).toEqual([200, 18]);
  }
});

test('only POST is answered, and no browser of another origin', async () => {
  for (const method of ['GET', 'DELETE', 'PUT']) {
    const { status, headers } = await post('', {}, method);
    expect([status, headers.get('allow')]).toEqual([405, 'POST']);
  }
  const headers = await dwell.headerOf('bob');
  expect((await post(list, { ...headers, Origin: 'https://evil.example' })).status).toBe(403);
  expect((await post(list, { ...headers, Origin: dwell.url })).status).toBe(200);
});

test('a body that is no JSON, or too large, is refused as JSON-RPC says', async () => {
  const headers = await dwell.headerOf('bob');
  const broken = await post('{', headers);
  expect([broken.status, broken.json.error.code]).toEqual([400, -32_700]);
  const large = await post(JSON.stringify('x'.repeat(1_000_001)), headers);
  expect([large.status, large.json.error.code]).toEqual([413, -32_600]);
});

test('a batch is refused with one error, however much it asks for', async () => {
  const headers = await dwell.headerOf('bob');
  const one = JSON.parse(list);
  for (const batch of [[], [one], Array.from({ length: 100 }, (_, id) => ({ ...one, id }))]) {
    const { status, json } = await post(JSON.stringify(batch), headers);
    expect([status, json.id, json.error.code]).toEqual([400, null, -32_600]);
    expect(json.error.message).toBe(
      'Batches are not answered: the protocol has none since 2025-06-18. Send each message by itself.',
    );
  }
});

test('the list of tools is made once, and is short', async () => {
  const [tool] = tools;
  let made = 0;
  const described = { type: 'object', properties: {} };
  const schema = tool?.output._zod;
  const before = schema?.toJSONSchema;
  if (schema !== undefined) {
    schema.toJSONSchema = () => {
      made += 1;
      return described;
    };
  }
  const other = await startDwell();
  try {
    const headers = await other.headerOf('bob');
    const ask = async () => {
      const body = { method: 'POST', headers: { ...accepted, ...headers }, body: list };
      return (await fetch(`${other.url}/mcp`, body)).text();
    };
    const answers = [await ask(), ...(await Promise.all([ask(), ask(), ask()]))];
    expect(new Set(answers).size).toBe(1);
    expect(made).toBe(1);
  } finally {
    if (before === undefined) delete schema?.toJSONSchema;
    else if (schema !== undefined) schema.toJSONSchema = before;
    await other.stop();
  }
  const whole = JSON.stringify((await post(list, await dwell.headerOf('bob'))).json);
  const { tools: listed } = JSON.parse(whole).result;
  // An assistant reads all of it with each conversation: 2,670 bytes a tool on average.
  expect(Buffer.byteLength(whole)).toBeLessThanOrEqual(2_670 * listed.length);
  expect(listed.every((one: object) => 'outputSchema' in one)).toBe(true);
});

test('nothing that an assistant can fill in is without a description in the list', async () => {
  const { json } = await post(list, await dwell.headerOf('bob'));
  const described = new Set<string>();
  for (const { name: tool, inputSchema } of json.result.tools) {
    const all = Object.entries<{ description?: string; properties?: object }>(inputSchema.properties);
    const nested = all.flatMap(([, { properties = {} }]) => Object.entries(properties));
    for (const [name, schema] of [...all, ...nested]) {
      if (schema.description !== undefined) described.add(name);
      expect([tool, name, described.has(name)]).toEqual([tool, name, true]);
    }
  }
  expect(described.size).toBeGreaterThan(40);
});

test('a message that is nested very deep is refused', async () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_statuses","arguments":{"name":${deep}}}}`;
  const { status, json } = await post(call, await dwell.headerOf('bob'));
  expect([status, json.error.code]).toEqual([400, -32_700]);
});

test('over standard input a line that is too long or no message is answered with an error, and the next ones as ever, and nothing but the protocol is printed until the input ends', async () => {
  const line = (message: unknown) => `${JSON.stringify(message)}\n`;
  const input = [
    `${'x'.repeat(2_000_000)}\n{"jsonrpc":\n\n`,
    line([{ jsonrpc: '2.0', id: 1, method: 'ping' }]),
    line({ jsonrpc: '2.0', id: 2, method: 7 }),
    line({ jsonrpc: '2.0', id: 3, method: 'ping' }),
  ].join('');
  const folder = await folderOfProcesses();
  const { out, err, code } = await dwellProcessReading(input, folder, 'mcp', '--user', 'ada').ended;
  const answers = out
    .trim()
    .split('\n')
    .map((text) => JSON.parse(text));
  expect(answers.map(({ id, error }) => [id, error?.code])).toEqual([
    [null, -32_600],
    [null, -32_700],
    [null, -32_600],
    [2, -32_600],
    [3, undefined],
  ]);
  expect([err, code]).toEqual(['', 0]);
});

test('over standard input and output the same tools answer, with the rights of the user', async () => {
  const bob = await assistantWithProcess('--user', 'Bob');
  try {
    expect(bob.tools).toHaveLength(18);
    const { content, text } = await bob.call('time_in_status', { issueKeys: ['OPS-3'] });
    expect(content.complete).toBe(false);
    expect(text).toContain('Histories: NOT COMPLETE');
    const { content: file } = await bob.call('export_report', {
      ...{ project: 'WEB', outputType: 'CSV', waitSeconds: 30 },
    });
    expect(file.downloadLink).toMatch(/^file:.*\.csv$/);
    expect(readFileSync(new URL(file.downloadLink)).length).toBe(file.bytes);
  } finally {
    await bob.close();
  }
});

test('it does not start without a user', async () => {
  await expect(dwell.types('mcp')).rejects.toMatchObject({
    details: [expect.stringContaining('--user is required')],
  });
});

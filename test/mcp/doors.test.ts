import { afterAll, beforeAll, expect, test } from '#jest';
import { dwellProcess } from '../support/dwell-process.ts';
import { startDwell, type TestDwell } from '../support/start-dwell.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { assistantWithProcess } from './assistant.ts';

let dwell: TestDwell;
beforeAll(async () => {
  dwell = await startDwell();
});
afterAll(() => dwell.stop());

const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });

async function post(body: string, headers: Readonly<Record<string, string>> = {}, method = 'POST') {
  const answer = await fetch(`${dwell.url}/mcp`, {
    method,
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...headers,
    },
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
    expect([status, json.result.tools.length]).toEqual([200, 15]);
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

test('over standard input and output the same tools answer, with the rights of the user', async () => {
  const bob = await assistantWithProcess('--user', 'Bob');
  try {
    expect(bob.tools).toHaveLength(15);
    const { content, text } = await bob.call('time_in_status', { issueKeys: ['OPS-3'] });
    expect(content.complete).toBe(false);
    expect(text).toContain('Histories: NOT COMPLETE');
    const { content: file } = await bob.call('export_report', {
      ...{ project: 'WEB', outputType: 'CSV', waitSeconds: 30 },
    });
    expect(file.downloadLink).toMatch(/^file:/);
  } finally {
    await bob.close();
  }
});

test('it ends with its input, and prints nothing but the protocol', async () => {
  const { out, err, code } = await dwellProcess(temporaryFolder(), 'mcp', '--user', 'ada').finished;
  expect([out, err, code]).toEqual(['', '', 0]);
  const nobody = await dwellProcess(temporaryFolder(), 'mcp').finished;
  expect([nobody.out, nobody.code]).toEqual(['', 1]);
  expect(nobody.err).toContain('--user is required');
});

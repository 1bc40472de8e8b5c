import { millisecondsInDay } from 'date-fns/constants';
import { decodeProtectedHeader, SignJWT } from 'jose';
import { afterAll, beforeAll, expect, test } from '#jest';
import { anInvitation } from '../../http/delegation/an-invitation.ts';
import { ended } from '../../http/exports/ended.ts';
import { openTestStore } from '../../support/open-test-store.ts';
import { startDwell, type TestDwell } from '../../support/start-dwell.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const dataDir = temporaryFolder();
/** Two processes on one store; commands run beside the second one. */
let dwell: TestDwell;
let other: TestDwell;
beforeAll(async () => {
  dwell = await startDwell({ dataDir });
  other = await startDwell({ dataDir });
});
afterAll(async () => {
  await dwell.stop();
  await other.stop();
});

const rotate = (...options: string[]) => other.types('secrets', 'rotate-signing-key', ...options);
const newToken = async (...options: string[]) =>
  (await other.types('token', '--user', 'ada', ...options)).lines[0] ?? '';
const kidOf = (token: string) => decodeProtectedHeader(token).kid;

/** The status of a request with a token, and the problem of one that is refused. */
async function answerTo(token: string): Promise<readonly unknown[]> {
  const { status, json } = await dwell.get('/rest/statuses', {}, { Authorization: `TISJWT ${token}` });
  return status === 200 ? [200] : [status, json.messages?.[0]];
}

const refused = [401, 'tisjwt is invalid: the key that it was signed with is no longer in use.'];

/** A download link of a file, with what opens it. */
async function aDownload(): Promise<string> {
  const asked = { columnsBy: 'statusDuration', filterType: 'project', projectKey: 'WEB', outputType: 'CSV' };
  const { json } = await dwell.post('/rest/export', asked);
  return (await ended(dwell, json.exportId)).downloadLink;
}
const statusOf = async (link: string) => (await fetch(link)).status;

test('a token of before keys had ids works, and so do tokens and links of a former key until their time is over', async () => {
  const first = await newToken('--expires', '1y');
  const { jti = '' } = JSON.parse(Buffer.from(first.split('.')[1] ?? '', 'base64url').toString());
  const store = await openTestStore(dataDir);
  const key = Buffer.from((await store.secrets.get('token-signing-key')) ?? '', 'base64');
  store.close();
  const nameless = await new SignJWT({ admin: false, jti, sub: 'ada', iss: 'dwell', aud: 'dwell' })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setExpirationTime(4_000_000_000)
    .sign(key);
  expect(await answerTo(nameless)).toEqual([200]);
  const download = await aDownload();
  const invitation = await anInvitation(dataDir, dwell.clock.now, { account: 'U1', name: 'Ada' });

  const { lines, code } = await rotate('--keep', '7d');
  const second = await newToken();
  expect([code, lines]).toEqual([
    0,
    [
      `New tokens are signed with the key ${kidOf(second)}.`,
      expect.stringMatching(
        /^Tokens made before work until 2026-03-25T12:00:00.000Z at the latest, \d of them in use\.$/,
      ),
      'List them: npx dwell tokens. Make new ones: npx dwell token --user NAME.',
    ],
  ]);
  expect(kidOf(second)).not.toBe(kidOf(first));
  for (const token of [nameless, first, second]) expect(await answerTo(token)).toEqual([200]);
  expect(await statusOf(download)).toBe(200);
  expect((await dwell.get('/link', { ticket: invitation }, {})).status).toBe(200);
  const listed = (await other.types('tokens')).lines.filter((line) => line.includes(`${jti} `));
  expect(listed).toEqual([expect.stringContaining('until 2026-03-25T12:00:00.000Z')]);

  const start = dwell.clock.now;
  dwell.clock.now += 7 * millisecondsInDay;
  for (const token of [nameless, first]) expect(await answerTo(token)).toEqual(refused);
  expect(await answerTo(second)).toEqual([200]);
  dwell.clock.now = start;
});

test('--revoke ends earlier tokens and links at once, in every process, and those of former keys as well', async () => {
  const first = await newToken();
  await rotate();
  const second = await newToken();
  const download = await aDownload();
  const { lines } = await rotate('--revoke', '--json');
  const { signingKey, earlierUntil } = JSON.parse(lines.join('\n'));
  expect(earlierUntil).toBe('2026-03-18T12:00:00.000Z');
  for (const token of [first, second]) expect(await answerTo(token)).toEqual(refused);
  expect(await statusOf(download)).toBe(404);
  const third = await newToken();
  expect([kidOf(third), await answerTo(third)]).toEqual([signingKey, [200]]);
  const store = await openTestStore(dataDir);
  const stored = JSON.parse((await store.secrets.get('token-signing-key')) ?? '');
  store.close();
  expect(stored.map(({ key }: { key: string | null }) => key !== null)).toEqual([
    true,
    ...Array(stored.length - 1).fill(false),
  ]);
});

test('the audit log distinguishes a rotation from a revocation', async () => {
  const ids = [];
  for (const option of ['--keep=7d', '--revoke'])
    ids.push(JSON.parse((await rotate(option, '--json')).lines.join('\n')).signingKey);
  const { lines } = await other.types('audit', '--action', 'secret.rotated');
  const entries = lines.slice(0, -1).map((line) => line.slice(line.indexOf('operator')));
  expect(entries.slice(-2)).toEqual([
    `operator (command line) rotated the key that signs tokens to ${ids[0]}; former keys work until 2026-03-25 12:00`,
    `operator (command line) rotated the key that signs tokens to ${ids[1]} and revoked the former keys`,
  ]);
});

test('rotations at once leave one current key, and tokens of each of them work', async () => {
  const before = await newToken();
  const rotated = await Promise.all(
    [dwell, other, dwell].map((one) => one.types('secrets', 'rotate-signing-key', '--json')),
  );
  const keys = rotated.map(({ lines }) => JSON.parse(lines.join('\n')).signingKey);
  expect(new Set(keys).size).toBe(3);
  const after = await newToken();
  expect(keys).toContain(kidOf(after));
  for (const token of [before, after]) expect(await answerTo(token)).toEqual([200]);
});

test('a token that names a key of none is invalid, whatever it says', async () => {
  const [, payload, signature] = (await newToken()).split('.');
  for (const kid of ['00000000', '', 7, null, ['x']]) {
    const header = Buffer.from(JSON.stringify({ alg: 'HS256', typ: 'JWT', kid })).toString('base64url');
    expect(await answerTo([header, payload, signature].join('.'))).toEqual([401, 'tisjwt is invalid.']);
  }
});

test.each([
  [
    ['rotate-signing-key', '--keep', '7'],
    "--keep '7' is not known. Try: a number and m (minutes), h (hours), d (days), w (weeks) or y (years), such as 30d, up to 100y.",
  ],
  [
    ['rotate-signing-key', '--keep', '59m'],
    "--keep '59m' is under an hour. Try: 1h or more, or --revoke to end them at once.",
  ],
  [['rotate-signing-key', '--keep', '7d', '--revoke'], '--keep and --revoke cannot be used together.'],
  [['rotate', '--revoke'], '--keep and --revoke are for rotate-signing-key alone.'],
])('%j is refused in one sentence', async (args, detail) => {
  await expect(other.types('secrets', ...args)).rejects.toMatchObject({ details: [detail] });
});

import { createHmac } from 'node:crypto';
import { beforeEach, describe, expect, test } from '#jest';
import { createTrackerEvents } from '../../../src/api/tracker/tracker-events.ts';

const secret = 'between us';
const body = Buffer.from('{"issue":"10001"}');
const signed = (bytes: Buffer, key = secret) => createHmac('sha256', key).update(bytes).digest('hex');

let nudged: (readonly string[])[];
let read: unknown[];
beforeEach(() => {
  [nudged, read] = [[], []];
});

function events({ ids = ['10001'], key = secret }: { ids?: readonly string[] | null; key?: string | null }) {
  const tracker = createTrackerEvents(
    {
      name: 'jira',
      webhooks: {
        ...{ setting: 'JIRA_WEBHOOK_SECRET', secret: key, header: 'X-Hub-Signature', prefix: 'sha256=' },
        readIds: (given) => {
          read.push(given);
          return ids;
        },
      },
    },
    async (given) => void nudged.push(given),
  );
  return {
    receive: (bytes: Buffer, signature: string | undefined, name = 'jira') =>
      tracker.receive(name, bytes, (header) => (header === 'X-Hub-Signature' ? signature : undefined)),
  };
}

test('an event that is signed with the secret nudges the issues it is about', async () => {
  await events({}).receive(body, `sha256=${signed(body)}`);
  expect(read).toEqual([{ issue: '10001' }]);
  expect(nudged).toEqual([['10001']]);
});

test('the signature may be in capitals', async () => {
  await events({}).receive(body, `SHA256=${signed(body).toUpperCase()}`);
  expect(nudged).toEqual([['10001']]);
});

test('RFC 4231’s second case is the signature that is meant', async () => {
  const bytes = Buffer.from('what do ya want for nothing?');
  const hex = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843';
  await events({ key: 'Jefe' }).receive(bytes, `sha256=${hex}`);
  expect(nudged).toEqual([['10001']]);
});

test('an event about something else is taken and nudges nothing', async () => {
  await events({ ids: [] }).receive(body, `sha256=${signed(body)}`);
  expect(nudged).toEqual([]);
});

describe('is not allowed, and is not even read', () => {
  test.each<[string, string | undefined]>([
    ['without a signature', undefined],
    ['with an empty one', ''],
    ['with one of another body', `sha256=${signed(Buffer.from('{}'))}`],
    ['with one of another secret', `sha256=${signed(body, 'another')}`],
    ['with one of another method', `sha1=${createHmac('sha1', secret).update(body).digest('hex')}`],
    ['with one that is too short', `sha256=${signed(body).slice(2)}`],
    ['with one that is too long', `sha256=${signed(body)}00`],
    ['with one that is no hex', `sha256=${'g'.repeat(64)}`],
    ['with one without its method', signed(body)],
  ])('%s', async (_, signature) => {
    await expect(events({}).receive(body, signature)).rejects.toMatchObject({
      reason: 'invalid-signature',
      code: 'not-allowed',
    });
    expect([nudged, read]).toEqual([[], []]);
  });
});

test('neither the secret nor the signature that would hold is told', async () => {
  const refused = await events({})
    .receive(body, 'sha256=00')
    .catch((error) => error);
  const told = JSON.stringify([refused.message, refused.details]);
  expect(told).not.toContain(secret);
  expect(told).not.toContain(signed(body));
});

test('events of another tracker are not found, however they are signed', async () => {
  const receive = events({}).receive(body, `sha256=${signed(body)}`, 'linear');
  await expect(receive).rejects.toMatchObject({ reason: 'unknown-endpoint' });
  expect([nudged, read]).toEqual([[], []]);
});

test('where no secret is set nothing is found', async () => {
  const signature = `sha256=${signed(body)}`;
  await expect(events({ key: null }).receive(body, signature)).rejects.toMatchObject({
    code: 'not-found',
    details: [expect.stringContaining('JIRA_WEBHOOK_SECRET')],
  });
});

test.each([Buffer.from('no json'), Buffer.from([0xff]), Buffer.alloc(0)])(
  'what is no JSON is no event: %j',
  async (bytes) => {
    const signature = `sha256=${signed(bytes)}`;
    await expect(events({ ids: null }).receive(bytes, signature)).rejects.toMatchObject({
      code: 'bad-request',
    });
    expect(read).toEqual([null]);
  },
);

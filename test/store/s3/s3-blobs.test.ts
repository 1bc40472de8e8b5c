import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from '#jest';
import { type BlobStore, MIN_READ_MS } from '../../../src/store/blobs.ts';
import { openDrafts } from '../../../src/store/folder-blobs.ts';
import { createS3Blobs } from '../../../src/store/s3/s3-blobs.ts';
import { createS3Client, type S3Client, type S3Place } from '../../../src/store/s3/s3-client.ts';
import { type S3Fault, type StandInS3, startStandInS3 } from '../../support/stand-in-s3.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const PART = 8;
const clock = { now: Date.parse('2026-03-18T12:00:00Z') };
let standIn: StandInS3;
beforeEach(async () => {
  standIn = await startStandInS3({ now: () => clock.now, minPartBytes: PART });
});
afterEach(() => standIn.close());

/** The pauses before requests that were sent again. */
const pauses: number[] = [];

function clientOf(changes: Partial<S3Place> = {}): S3Client {
  return createS3Client(
    { ...standIn.place, prefix: '', ...changes },
    { now: () => clock.now, wait: async (ms) => void pauses.push(ms), random: () => 0 },
  );
}

function blobsOf(client: S3Client): BlobStore {
  return createS3Blobs(client, {
    ...{ folder: 'files/', drafts: openDrafts(temporaryFolder()), now: () => clock.now },
    ...{ newId: () => crypto.randomUUID(), uploadBytes: PART, readBytes: 64 },
  });
}

async function put(blobs: BlobStore, name: string, content: string): Promise<void> {
  const draft = await blobs.draft(name);
  writeFileSync(draft, content);
  await blobs.put(name, draft);
}

async function contentOf(blobs: BlobStore, name: string): Promise<string | null> {
  const blob = await blobs.open(name);
  if (blob === null) return null;
  const bytes = new Uint8Array(blob.bytes);
  await blob.read(bytes, 0);
  return Buffer.from(bytes).toString();
}

const noDraft = () => false;
const whole = 'two parts of it';

const passing: readonly (readonly S3Fault[])[] = [
  [{ status: 503 }],
  [{ status: 500 }, { status: 429 }, 'breaks', { status: 502 }],
  ['breaks after'],
];
test.each(passing)('what passes is tried again, at whatever request it comes (%p)', async (...faults) => {
  const blobs = blobsOf(clientOf());
  await put(blobs, 'a', 'before');
  const requests = standIn.served.length;
  await put(blobs, 'a', whole);
  await contentOf(blobs, 'a');
  const count = standIn.served.length - requests;
  for (let at = 0; at < count; at += 1) {
    standIn.failAfter(at, ...faults);
    await put(blobs, 'a', `${whole} ${at}`);
    expect(await contentOf(blobs, 'a')).toBe(`${whole} ${at}`);
  }
});

test('a service that is away is asked five times, with longer pauses, and named without its secrets', async () => {
  const blobs = blobsOf(clientOf());
  await put(blobs, 'a', 'some');
  standIn.setAway(true);
  pauses.length = 0;
  const failed = await blobs.open('a').catch((error: unknown) => error);
  const { endpoint } = standIn.place;
  expect(failed).toMatchObject({
    reason: 'store-unavailable',
    message: expect.stringMatching(
      new RegExp(`^The bucket 'shelf' at ${endpoint} cannot be reached: (ECONNRESET|UND_ERR_SOCKET)\\.$`),
    ),
  });
  expect(pauses).toEqual([200, 400, 800, 1600]);
  standIn.setAway(false);
  expect(await contentOf(blobs, 'a')).toBe('some');
});

const wrong: readonly (readonly [string, Partial<S3Place>, string])[] = [
  ['secret', { secretAccessKey: 'wrong+secret' }, '403 SignatureDoesNotMatch'],
  ['access key', { accessKeyId: 'AKIAWRONG' }, '403 InvalidAccessKeyId'],
  ['region', { region: 'us-east-1' }, '400 AuthorizationHeaderMalformed'],
  ['bucket', { bucket: 'else' }, '404 NoSuchBucket'],
];
test.each(wrong)(
  'a wrong %s is refused at once, in a sentence that repeats no secret',
  async (_, place, why) => {
    const failed = await blobsOf(clientOf(place))
      .names()
      .catch((error: unknown) => error);
    const bucket = place.bucket ?? 'shelf';
    expect(failed).toMatchObject({
      reason: 'store-unavailable',
      message: `The bucket '${bucket}' at ${standIn.place.endpoint} answered GET with ${why}. Check BLOBS, S3_ENDPOINT, S3_REGION, and what its access key is allowed to do.`,
    });
    expect(standIn.served).toHaveLength(1);
  },
);

test('a clock that is far from that of the service is refused', async () => {
  const client = createS3Client(
    { ...standIn.place, prefix: '' },
    {
      ...{ now: () => clock.now - 3_600_000, wait: async () => {}, random: () => 0 },
    },
  );
  await expect(blobsOf(client).names()).rejects.toMatchObject({
    message: expect.stringContaining('403 RequestTimeTooSkewed'),
  });
});

test('an upload that fails is aborted, and what was there stays', async () => {
  const blobs = blobsOf(clientOf());
  await put(blobs, 'a', 'before');
  // It is begun, and its first part is sent.
  standIn.failAfter(2, ...Array.from({ length: 5 }, () => ({ status: 500 })));
  await expect(put(blobs, 'a', whole)).rejects.toMatchObject({ reason: 'store-unavailable' });
  expect(standIn.openUploads()).toBe(0);
  expect(await contentOf(blobs, 'a')).toBe('before');
});

test('what is replaced while others sweep can still be read', async () => {
  const others = blobsOf(clientOf());
  await put(others, 'a', whole);
  const opened = await others.open('a');
  clock.now += MIN_READ_MS + 2000;
  const client = clientOf();
  const sweeper = blobsOf({
    ...client,
    async *list(prefix) {
      for await (const page of client.list(prefix)) {
        await put(others, 'a', 'the next');
        yield page;
      }
    },
  });
  await sweeper.sweepDrafts(noDraft);
  const bytes = new Uint8Array(whole.length);
  await opened?.read(bytes, 0);
  expect(Buffer.from(bytes).toString()).toBe(whole);
});

/** What is left of all that was put, long after. */
async function objectsLongAfter(): Promise<readonly string[]> {
  for (let sweeps = 0; sweeps < 2; sweeps += 1) {
    clock.now += MIN_READ_MS + 2000;
    await blobsOf(clientOf()).sweepDrafts(noDraft);
  }
  return standIn.keys();
}

test.each(['before', 'after'])('what is replaced %s a sweep takes its mark is swept later', async (when) => {
  await put(blobsOf(clientOf()), 'a', whole);
  clock.now += MIN_READ_MS + 2000;
  const [marked, swept] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const client = clientOf();
  const replacing = blobsOf({
    ...client,
    async put(key, body) {
      if (key === 'files/names/a') {
        marked.resolve();
        if (when === 'after') await swept.promise;
      }
      await client.put(key, body);
    },
  });
  let replaced: Promise<void> | null = null;
  const sweeping = blobsOf({
    ...client,
    async remove(key) {
      replaced ??= put(replacing, 'a', 'the next');
      await (when === 'after' ? marked.promise : replaced);
      await client.remove(key);
    },
  });
  await sweeping.sweepDrafts(noDraft);
  swept.resolve();
  await replaced;
  expect(await contentOf(sweeping, 'a')).toBe('the next');
  expect(await objectsLongAfter()).toEqual([expect.stringMatching('^files/data/a/'), 'files/names/a']);
});

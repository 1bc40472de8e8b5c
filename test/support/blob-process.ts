import { writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { openDrafts } from '../../src/store/folder-blobs.ts';
import { createS3Blobs } from '../../src/store/s3/s3-blobs.ts';
import { createS3Client } from '../../src/store/s3/s3-client.ts';
import { createTableBlobs } from '../../src/store/sql/table-blobs.ts';
import { storeEngine } from './store-engine.ts';

/**
 * A process that puts one blob after the other under the same name until it is killed, each with another byte all through,
 * and prints that byte before and after. Where it is given the address of a bucket, that has them, else the database.
 */
const [dataDir = '', now = '', bytes = '', bucket = ''] = process.argv.slice(2);
const parts = {
  drafts: openDrafts(join(dataDir, 'drafts')),
  now: () => Number(now),
  newId: () => crypto.randomUUID(),
};

async function openBlobs() {
  if (bucket === '') {
    const engine = await storeEngine.openEngine(dataDir);
    return createTableBlobs(engine, { tenant: 'default', place: 'exports', partBytes: 65_536, ...parts });
  }
  const place = { ...JSON.parse(bucket), prefix: '' };
  const client = createS3Client(place, { now: parts.now, wait: async () => {}, random: () => 0 });
  return createS3Blobs(client, { folder: 'exports/', uploadBytes: 65_536, ...parts });
}

const blobs = await openBlobs();
// Nobody waits for it any longer.
setTimeout(() => process.exit(1), 60_000).unref();
for (let byte = 1; byte < 255; byte += 1) {
  const draft = await blobs.draft('a');
  writeFileSync(draft, new Uint8Array(Number(bytes)).fill(byte));
  writeSync(1, `begins ${byte}\n`);
  await blobs.put('a', draft);
  writeSync(1, `put ${byte}\n`);
}

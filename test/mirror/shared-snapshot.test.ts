import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { afterAll, expect, test } from '#jest';
import type { BlobStore } from '../../src/store/blobs.ts';
import { openDrafts } from '../../src/store/folder-blobs.ts';
import { createS3Blobs } from '../../src/store/s3/s3-blobs.ts';
import { createS3Client } from '../../src/store/s3/s3-client.ts';
import { createTableBlobs } from '../../src/store/sql/table-blobs.ts';
import { anIssue } from '../support/issue-story.ts';
import { openTestStore } from '../support/open-test-store.ts';
import { startStandInS3 } from '../support/stand-in-s3.ts';
import { storeEngine } from '../support/store-engine.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { countingReads, keysIn, putInto, savedTable } from './tables.ts';

const folder = temporaryFolder();
const store = await openTestStore(folder);
const engine = await storeEngine.openEngine(folder);
const NOW = Date.parse('2026-03-18T12:00:00Z');
const now = () => NOW;
const bucket = await startStandInS3({ now });
afterAll(async () => {
  await store.close();
  engine.close();
  await bucket.close();
});

const newId = () => randomUUID();
/** Blobs as a process has them that shares no disk with others; parts are small enough for a snapshot to have many. */
const shared: Readonly<Record<string, (drafts: string) => BlobStore>> = {
  'the database': (drafts) =>
    createTableBlobs(engine, {
      ...{ tenant: 'default', place: 'cache', drafts: openDrafts(drafts), now, newId, partBytes: 1000 },
    }),
  'a bucket': (drafts) => {
    const place = { ...bucket.place, prefix: '' };
    const client = createS3Client(place, { now, wait: async () => {}, random: () => 0 });
    const sizes = { uploadBytes: 5000, readBytes: 1000 };
    return createS3Blobs(client, { folder: 'cache/', drafts: openDrafts(drafts), now, newId, ...sizes });
  },
};

test.each(Object.entries(shared))(
  'a process starts from the columns that another put into %s',
  async (_, open) => {
    const issues = store.issues('file');
    await putInto(
      issues,
      Array.from({ length: 60 }, (_, i) => anIssue(`WEB-${i + 1}`, '2026-03-02T09:00:00Z').issue),
    );
    const problems: unknown[] = [];
    const { reads, of } = countingReads(issues);
    const tableWith = (drafts: string) =>
      savedTable(store, {
        ...{ store: of, blobs: open(drafts), now, onProblem: (error) => void problems.push(error) },
      });
    const [here, there] = [temporaryFolder(), temporaryFolder()];
    const first = tableWith(here);
    const { columns } = await first.table();
    await first.close();
    expect([columns.size, reads.chunks > 0, readdirSync(here)]).toEqual([60, true, []]);

    reads.chunks = 0;
    const second = tableWith(there);
    const again = (await second.table()).columns;
    await second.close();
    expect([again.size, reads.chunks, problems]).toEqual([60, 0, []]);
    expect(keysIn(again)).toEqual(keysIn(columns));
  },
);

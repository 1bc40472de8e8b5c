import { expect, test } from '#jest';
import { addStamp, stampsOf } from '../../src/store/stamps.ts';
import { aStore } from '../support/a-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('the last few stamps of a name are known, the newest first, and what is written elsewhere is not forgotten', async () => {
  const dataDir = temporaryFolder();
  const [one, other] = [await aStore(dataDir), await aStore(dataDir)];
  expect(await stampsOf(one.stamps, 'folder')).toEqual([]);
  await addStamp(one.stamps, 'folder', { stamp: 'first' });
  // A stamp of another database stays that.
  await addStamp(other.stamps, 'folder', { stamp: 'second', present: 'unknown' });
  for (let i = 0; i < 20; i += 1) {
    await addStamp(i % 2 === 0 ? one.stamps : other.stamps, 'folder', { stamp: `${i}`, present: 'first' });
  }
  expect(await stampsOf(one.stamps, 'folder')).toEqual(['19', 'first', '18', '17', '16', '15', '14', '13']);
  expect(await stampsOf(one.stamps, 'columns')).toEqual([]);
});

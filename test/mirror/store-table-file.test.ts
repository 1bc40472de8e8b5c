import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { millisecondsInMinute } from 'date-fns/constants';
import { describe, expect, test } from '#jest';
import { createStoreTable } from '../../src/mirror/store-table.ts';
import type { Issue } from '../../src/model/issue.ts';
import { born, contentsOf, many, numbered, renamed, storeOfTests } from './store-of-tests.ts';
import { countingReads, keysIn } from './tables.ts';

const at = storeOfTests();
const { put, open } = at;

describe('the file of columns', () => {
  const file = () => join(at.folder, 'columns.bin');
  /** Has a table save the columns; the result is their contents. */
  async function save() {
    const { table, close } = open();
    const { columns } = await table();
    const contents = contentsOf(columns);
    await close();
    return contents;
  }
  const files = () => readdirSync(at.folder).filter((name) => name.startsWith('columns'));

  test('spares the next start all that is in it', async () => {
    await put(...many(1300));
    const before = await save();
    expect(files()).toEqual(['columns.bin']);
    await put(renamed(born('DEMO-9'), 'later'), born('DEMO-1301', '05'));
    const { reads, of } = countingReads(at.stored);
    const { columns } = await open({ of }).table();
    expect(reads.chunks).toBe(1);
    expect(columns.size).toBe(1301);
    expect(contentsOf(columns).filter(({ key }) => key !== 'DEMO-9' && key !== 'DEMO-1301')).toEqual(
      before.filter(({ key }) => key !== 'DEMO-9').map((one) => ({ ...one, issues: 1301 })),
    );
    expect(at.problems).toEqual([]);
  });

  test('has the loaded fields, and a start with it has them as well', async () => {
    await put(...many(300).map((issue, i) => renamed(issue, `about ${i % 3}`)));
    await save();
    const second = open();
    await (await second.table()).hold('summary');
    await second.close();
    const { reads, of } = countingReads(at.stored);
    const { columns } = await open({ of }).table();
    const { codes, values } = columns.field('summary');
    expect(values.at(codes[columns.rowOf('DEMO-6')] ?? 0)).toBe('about 2');
    expect(reads.single).toBe(0);
  });

  test.each<[string, (bytes: Buffer) => Uint8Array | string]>([
    ['is cut', (bytes) => bytes.subarray(0, -1)],
    ['is cut in its facts', (bytes) => bytes.subarray(0, 40)],
    ['is empty', () => ''],
    [
      'has another bit',
      (bytes) => bytes.fill((bytes.at(-100) ?? 0) ^ 4, bytes.length - 100, bytes.length - 99),
    ],
    ['has another bit in its facts', (bytes) => bytes.fill((bytes[60] ?? 0) ^ 1, 60, 61)],
    ['is no file of columns', () => 'x'.repeat(4000)],
  ])('is as good as none where it %s, and damage is reported', async (how, damage) => {
    await put(...many(30));
    const before = await save();
    writeFileSync(file(), damage(readFileSync(file())));
    expect(contentsOf((await open().table()).columns)).toEqual(before);
    const message = `The file ${file()} is damaged; columns are made from the store again.`;
    expect(at.problems).toEqual(
      how === 'is no file of columns' ? [] : [expect.objectContaining({ message })],
    );
  });

  test('is as good as none where it is another store’s, or was made with other settings', async () => {
    await put(...many(30));
    await save();
    const bytes = readFileSync(file());
    expect((await open({ origin: 'elsewhere' }).table()).columns.size).toBe(30);
    at.store.close();
    await at.openStore();
    writeFileSync(file(), bytes);
    await put(born('DEMO-1'));
    expect(keysIn((await open().table()).columns)).toEqual(['DEMO-1']);
    await put(...Array.from({ length: 40 }, (_, i) => born(`OPS-${i + 1}`)));
    writeFileSync(file(), bytes);
    // By now it has as many revisions as the file, and others.
    expect(new Set(keysIn((await open().table()).columns))).toEqual(
      new Set(['DEMO-1', ...Array.from({ length: 40 }, (_, i) => `OPS-${i + 1}`)]),
    );
  });

  test('is as good as none where the store was put back and has gone another way since', async () => {
    await put(...numbered(20));
    const first = open();
    await first.table();
    await put(born('DEMO-21'));
    await first.table();
    await first.close();
    const bytes = readFileSync(file());
    at.store.close();
    await at.openStore();
    writeFileSync(file(), bytes);
    await put(...numbered(20));
    // What is at the revisions of the file has changed once more, so that only the number of issues shows it.
    await put(...numbered(20).map((issue) => renamed(issue, 'anew')));
    await put(...numbered(20).map((issue) => renamed(issue, 'once more')));
    expect((await open().table()).columns.size).toBe(20);
  });

  /** A file whose writing succeeds by `answers`, of which the last one counts for good. */
  function noted(
    answers: readonly (boolean | Promise<boolean>)[] = [true],
    claimSave: () => Promise<boolean> = async () => true,
  ) {
    const saved: number[] = [];
    const table = createStoreTable({
      store: at.stored,
      claimSave,
      snapshot: {
        load: async () => null,
        async save(columns, { isSteady }) {
          saved.push(columns.size);
          const write = async () => answers[Math.min(saved.length, answers.length) - 1] ?? true;
          return isSteady ? columns.reading(write) : write();
        },
      },
      now: () => at.now,
      onProblem: (error) => void at.problems.push(error),
      minSaved: 2,
    });
    return { saved, ...table };
  }

  test('is written behind questions, when much has changed and not every few minutes', async () => {
    await put(...many(100));
    const { saved, table, close } = noted();
    const grow = async (...issues: Issue[]) => {
      await put(...issues);
      await table();
    };
    await table();
    expect(saved).toEqual([100]);
    at.now += 5 * millisecondsInMinute;
    await grow(born('DEMO-101'));
    expect(saved).toEqual([100]);
    await grow(born('DEMO-102'), born('DEMO-103'));
    expect(saved).toEqual([100, 103]);
    await grow(...many(50).map((issue) => ({ ...issue, key: `WEB${issue.key}` })));
    expect(saved).toEqual([100, 103]);
    await close();
    expect(saved).toEqual([100, 103, 153]);
    await expect(table()).rejects.toThrow('closed');
  });

  test('is not written where another process has just written it, and by the next one later', async () => {
    await put(...many(100));
    let isOurs = false;
    const { saved, table, close } = noted([true], async () => isOurs);
    // There was none yet.
    await table();
    expect(saved).toEqual([100]);
    at.now += 5 * millisecondsInMinute;
    await put(...many(120));
    await table();
    expect(saved).toEqual([100]);
    at.now += 5 * millisecondsInMinute;
    isOurs = true;
    await put(born('DEMO-121'));
    await table();
    expect(saved).toEqual([100, 121]);
    await close();
    expect(saved).toEqual([100, 121]);
  });

  test('is not written again at the end where nothing has changed, nor for very few issues', async () => {
    await put(...many(1));
    const few = noted();
    await few.table();
    await few.close();
    expect(few.saved).toEqual([]);
    await put(...many(10));
    const enough = noted();
    await enough.table();
    await enough.close();
    expect(enough.saved).toEqual([10]);
  });

  test('is written once nothing changes meanwhile; after three tries changes wait for it', async () => {
    await put(...many(10));
    const gate = Promise.withResolvers<boolean>();
    const { saved, table, close } = noted([false, false, false, gate.promise]);
    const { columns } = await table();
    for (let i = 11; i <= 13; i += 1) {
      await put(born(`DEMO-${i}`));
      await table();
    }
    expect(saved).toEqual([10, 11, 12, 13]);
    await put(born('DEMO-14'));
    const later = table();
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
    expect(columns.size).toBe(13);
    gate.resolve(true);
    await later;
    await table();
    expect(columns.size).toBe(14);
    await close();
    expect(saved).toEqual([10, 11, 12, 13, 14]);
  });

  test('is written by several tables at once, and is whole', async () => {
    await put(...many(300));
    const tables = [open(), open(), open()];
    const [first] = await Promise.all(tables.map((one) => one.table()));
    await Promise.all(tables.map((one) => one.close()));
    expect(files()).toEqual(['columns.bin']);
    const { reads, of } = countingReads(at.stored);
    const { columns } = await open({ of }).table();
    expect([columns.size, reads.chunks]).toEqual([first?.columns.size, 0]);
    expect(at.problems).toEqual([]);
  });

  test('that cannot be written or read is said once, and answers go on', async () => {
    await put(...many(30));
    const file = join(at.folder, 'file');
    writeFileSync(file, '');
    const first = open({ cache: file });
    expect((await first.table()).columns.size).toBe(30);
    await first.close();
    expect(at.problems).toHaveLength(1);
  });
});

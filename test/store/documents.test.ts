import { afterEach, beforeEach, expect, test } from '#jest';
import { asOneQuestion } from '../../src/concurrency/request-scope.ts';
import { getOrMake, NameTaken } from '../../src/store/documents.ts';
import { openAreas } from '../../src/store/sql/areas.ts';
import { openDocuments } from '../../src/store/sql/documents.ts';
import { storeEngine } from '../support/store-engine.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

interface Shelf {
  readonly label: string;
  readonly books: number;
}

let dataDir: string;
let statements: string[];
let open: { close(): void }[];
beforeEach(() => {
  dataDir = temporaryFolder();
  statements = [];
  open = [];
});
afterEach(() => {
  for (const engine of open) engine.close();
});

/** The shelves of a tenant, as a process of its own has them open. */
async function shelves({ tenant = 'default', kind = 'shelves' } = {}) {
  const engine = await storeEngine.openEngine(dataDir, (sql) => void statements.push(sql));
  open.push(engine);
  const areas = openAreas(engine, tenant);
  return openDocuments<Shelf>(engine, areas, {
    tenant,
    kind,
    nameOf: ({ label }) => label.toLowerCase(),
    audit: null,
  });
}

const poems = { label: 'Poems', books: 3 };
const maps = { label: 'Maps', books: 9 };

test('documents come in the order in which they were added, each as it was changed last', async () => {
  const one = await shelves();
  expect([await one.list(), await one.get('b')]).toEqual([[], null]);
  await one.change('b', () => poems);
  await one.change('a', () => maps);
  await one.change('b', (stored) => ({ ...(stored ?? maps), books: 4 }));
  expect(await one.list()).toEqual([{ ...poems, books: 4 }, maps]);
  expect(await (await shelves()).list()).toEqual([{ ...poems, books: 4 }, maps]);
  expect(await one.change('b', () => null)).toBeNull();
  expect([await one.list(), await one.get('b')]).toEqual([[maps], null]);
});

test('a change sees what any process has written before it, and all of the kind', async () => {
  const [one, other] = [await shelves(), await shelves()];
  await one.change('a', () => poems);
  const more = (stored: Shelf | null) => ({ ...(stored ?? maps), books: (stored?.books ?? 0) + 1 });
  await Promise.all([one.change('a', more), other.change('a', more), one.change('a', more)]);
  expect(await other.get('a')).toEqual({ ...poems, books: 6 });
  await other.change('b', (stored, all) => {
    expect([stored, all]).toEqual([null, [{ ...poems, books: 6 }]]);
    return maps;
  });
});

test('a change that throws writes nothing, and what it throws is passed on', async () => {
  const one = await shelves();
  await one.change('a', () => poems);
  const failing = one.change('a', () => {
    throw new Error('The shelf is full.');
  });
  await expect(failing).rejects.toThrow('The shelf is full.');
  expect(await one.list()).toEqual([poems]);
});

test('a name is one document’s, whichever process gives it, and free again with it', async () => {
  const [one, other] = [await shelves(), await shelves()];
  await one.change('a', () => poems);
  await expect(other.change('b', () => ({ ...maps, label: 'POEMS' }))).rejects.toThrow(NameTaken);
  expect(await other.list()).toEqual([poems]);
  await other.change('a', (stored) => ({ ...(stored ?? poems), books: 0 }));
  await one.change('a', () => null);
  await other.change('b', () => ({ ...maps, label: 'POEMS' }));
  expect(await one.list()).toEqual([{ ...maps, label: 'POEMS' }]);
  const elsewhere = await shelves({ tenant: 'other' });
  await elsewhere.change('a', () => poems);
  expect(await elsewhere.list()).toEqual([poems]);
});

test('numbers of a series are given one after the other by all processes, and none twice', async () => {
  const [one, other] = [await shelves(), await shelves()];
  const [plain, oak] = [
    { name: '', first: 101 },
    { name: 'oak', first: 1 },
  ];
  const numbered = (number: number) => ({ label: `Shelf ${number}`, books: 0 });
  const made = await Promise.all([one, other, one].map((each) => each.addNumbered(plain, numbered)));
  expect(made.map(({ label }) => label).toSorted()).toEqual(['Shelf 101', 'Shelf 102', 'Shelf 103']);
  expect(await other.get('102')).toEqual(numbered(102));
  await one.change('103', () => null);
  const refused = one.addNumbered(plain, () => {
    throw new Error('The shelf is full.');
  });
  await expect(refused).rejects.toThrow('The shelf is full.');
  expect(await one.addNumbered(plain, numbered)).toEqual(numbered(104));
  await other.addNumbered(oak, numbered);
  expect(await one.get('oak 1')).toEqual(numbered(1));
  const elsewhere = await shelves({ tenant: 'other' });
  expect(await elsewhere.addNumbered(plain, numbered)).toEqual(numbered(101));
});

test('what is made the first time it is asked for is made once', async () => {
  const [one, other] = [await shelves(), await shelves()];
  const pending = [one, other, one].map((each, i) => getOrMake(each, 'a', () => ({ ...maps, books: i })));
  const [first, ...others] = await Promise.all(pending);
  expect(others).toEqual([first, first]);
  expect(await other.get('a')).toEqual(first);
});

test('what has not changed is the very same, and costs one statement for a question', async () => {
  const [one, other] = [await shelves(), await shelves()];
  await one.change('a', () => poems);
  const list = await one.list();
  await one.change('a', (stored) => stored);
  await new Promise(setImmediate);
  statements = [];
  await asOneQuestion(async () => {
    expect([await one.list(), await one.list()]).toEqual([list, list]);
    expect(await one.list()).toBe(list);
    expect(await one.get('a')).toBe(list[0]);
  });
  expect(statements).toHaveLength(1);
  await other.change('b', () => maps);
  expect(await one.list()).toEqual([poems, maps]);
});

import { expect, test } from '#jest';
import { asActor, inRequest, newRequest } from '../../src/concurrency/request-scope.ts';
import type { AuditEntry } from '../../src/model/audit.ts';
import { auditedDocuments, auditedWork } from '../../src/store/audited-kinds.ts';
import { NameTaken } from '../../src/store/documents.ts';
import type { TenantStore } from '../../src/store/store.ts';
import { aDigest } from '../support/a-digest.ts';
import { aStore } from '../support/a-store.ts';
import { runSupportProcess } from '../support/run-process.ts';
import { storeEngine } from '../support/store-engine.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { fillTenant, openStoreWithAll } from '../support/tenant-with-all.ts';
import { aCalendar } from '../time/a-calendar.ts';

const aToken = (id: string) => ({
  ...{ id, user: 'build', admin: true, createdAt: 1, expiresAt: 2, active: true },
});

const ada = <Result>(work: () => Result) => asActor({ account: 'U0ADA', via: 'slack' }, work);

/** The entries of a store, each as its action, its subject and its facts. */
async function factsIn(store: Pick<TenantStore, 'audit'>) {
  const entries = await store.audit.list({}, 999);
  return entries.map(({ action, subject, facts }) => ({ [`${action} ${subject}`]: facts }));
}

test('every kind that is stored is audited, or says why not', async () => {
  const folder = temporaryFolder();
  const store = await openStoreWithAll(folder);
  await fillTenant(store.forTenant('acme'));
  await store.close();
  const engine = await storeEngine.openEngine(folder);
  const kinds = async (table: 'document' | 'work') =>
    (await engine.db.selectFrom(table).select('kind').distinct().execute()).map(({ kind }) =>
      kind.replace(/ file$/, ''),
    );
  // Kinds that this tenant has none of are in the list all the same: one that is not cannot be opened.
  const found = await kinds('document');
  expect(found.length).toBeGreaterThan(15);
  expect(found.filter((kind) => !Object.hasOwn(auditedDocuments, kind))).toEqual([]);
  expect((await kinds('work')).toSorted()).toEqual(Object.keys(auditedWork).toSorted());
  await engine.close();
});

test('a change is written with who made it, by which door, and what changed', async () => {
  const store = await aStore();
  await inRequest(newRequest('http', 'r1'), () =>
    asActor({ account: 'ops', via: 'rest', tokenId: 't0' }, () =>
      store.tokens.change('t', () => aToken('t')),
    ),
  );
  await store.tokens.change('t', () => ({ ...aToken('t'), active: false }));
  const [made, off] = await store.audit.list({}, 9);
  expect(made).toEqual({
    ...{ id: 1, at: 0, actor: 'ops', via: 'rest', tokenId: 't0', requestId: 'r1' },
    ...{ action: 'token.created', subject: 't' },
    facts: { people: { user: 'build' }, admin: true, expiresAt: 2, active: true },
  });
  expect(off).toMatchObject({
    ...{ id: 2, actor: null, via: 'system', action: 'token.turned-off' },
    facts: { people: { user: 'build' }, changed: { active: { from: true, to: false } } },
  });
});

test('a list says what came and what went; texts and values of secrets are not repeated', async () => {
  const store = await aStore();
  const day = (date: string) => ({ name: 'Private', date, recurring: false });
  const office = { ...aCalendar({ name: 'Office', holidays: [day('2026-01-01')] }), id: 1 };
  await store.calendars.change('1', () => office);
  await store.calendars.change('1', () => ({ ...office, name: 'HQ', holidays: [day('2026-05-01')] }));
  await store.secrets.change('key', () => 'Private');
  await store.secrets.change('key', () => 'Private too');
  const { delegations } = store.documents('jira');
  const cover = { active: true, delegator: 'ada', delegates: ['bob'], categoryIds: [], start: 1, end: 2 };
  const version = { ...cover, id: 1, version: 1, savedBy: 'ada', savedAt: 1, notes: 'Private' };
  await delegations.change('1', () => ({ versions: [version] }));
  await delegations.change('1', () => ({
    versions: [version, { ...version, version: 2, delegates: ['cyd', 'bob'], notes: 'Private too' }],
  }));
  const facts = await factsIn(store);
  expect(facts).toMatchObject([
    { 'calendar.created 1': { name: 'Office', holidays: ['2026-01-01'] } },
    {
      'calendar.changed 1': {
        changed: {
          name: { from: 'Office', to: 'HQ' },
          holidays: { added: ['2026-05-01'], removed: ['2026-01-01'] },
        },
      },
    },
    { 'secret.created key': {} },
    { 'secret.rotated key': { changed: { value: { isOther: true } } } },
    { 'delegation.created 1': { people: { delegator: 'ada', delegates: ['bob'] } } },
    {
      'delegation.changed 1': {
        people: { delegator: 'ada', delegates: { added: ['cyd'], removed: [] } },
        changed: { notes: { isOther: true } },
      },
    },
  ]);
  expect(JSON.stringify(facts)).not.toContain('Private');
});

test('a digest is audited where it changes, and not where its periods go on', async () => {
  const { digests, audit } = await aStore();
  const digest = aDigest('d');
  await digests.change('d', () => digest);
  await digests.change('d', () => ({ ...digest, nextDue: 200 }));
  await digests.change('d', () => ({ ...digest, owner: 'U2' }));
  await digests.change('d', () => ({ ...digest, owner: 'U2', paused: true }));
  await digests.change('d', () => null);
  const actions = (await audit.list({}, 9)).map(({ action }) => action);
  const ofDigest = ['created', 'owner-changed', 'paused', 'removed'];
  expect(actions).toEqual(ofDigest.map((verb) => `digest.${verb}`));
});

test('a change that fails, or changes nothing, leaves no entry; one whose entry fails is not made', async () => {
  const folder = temporaryFolder();
  const store = await aStore(folder);
  const office = { ...aCalendar({ name: 'Office' }), id: 1 };
  await store.calendars.change('1', () => office);
  await store.calendars.change('1', (stored) => stored);
  await expect(store.calendars.change('2', () => ({ ...office, id: 2 }))).rejects.toThrow(NameTaken);
  expect(await factsIn(store)).toHaveLength(1);
  const engine = await storeEngine.openEngine(folder);
  await engine.write(({ db }) =>
    db
      .insertInto('audit')
      .values({
        ...{ tenant: store.tenant, number: 2, at: 0, actor: null, via: 'cli', token: null },
        ...{ request: null, action: 'answer.shared', subject: '', document: '{}' },
      })
      .execute(),
  );
  await engine.close();
  await expect(store.tokens.change('t', () => aToken('t'))).rejects.toThrow();
  expect(await store.tokens.list()).toEqual([]);
});

test('of writers side by side no entry is lost, and a reader that follows them misses none', async () => {
  const folder = temporaryFolder();
  const stores = [await aStore(folder), await aStore(folder)];
  const [reader = await aStore(folder)] = stores;
  const found: AuditEntry[] = [];
  let isOver = false;
  const readOn = async (count: number) =>
    void found.push(...(await reader.audit.list({ after: found.at(-1)?.id ?? 0 }, count)));
  const follow = async () => {
    while (!isOver) {
      await readOn(5);
      await new Promise((next) => setImmediate(next));
    }
  };
  const following = follow();
  await ada(() =>
    Promise.all(
      stores.flatMap(({ tokens, digests }, writer) =>
        Array.from({ length: 12 }, async (_, index) => {
          const id = `${writer} ${index}`;
          await tokens.change(id, () => aToken(id));
          await digests.change(id, () => aDigest(id));
        }),
      ),
    ),
  );
  isOver = true;
  await following;
  await readOn(99);
  expect(new Set(found.map(({ action, subject }) => `${action} ${subject}`)).size).toBe(48);
  expect(found.map(({ id }) => id)).toEqual(Array.from({ length: 48 }, (_, index) => index + 1));
  expect(new Set(found.map(({ actor }) => actor))).toEqual(new Set(['U0ADA']));
});

test('a killed process loses no entry of what it said it has done', async () => {
  const folder = temporaryFolder();
  await storeEngine.make(folder);
  const started = runSupportProcess('audit-process.ts', folder);
  while (started.out().split('\n').length < 60) await new Promise((next) => setTimeout(next, 5));
  started.process.kill('SIGKILL');
  const { out, err } = await started.ended;
  expect(err).toBe('');
  const store = await aStore(folder);
  const entries = (await store.audit.list({}, 9999)).map(({ action, subject }) => `${action} ${subject}`);
  const printed = out.split('\n').slice(0, -1);
  expect(printed.filter((line) => !entries.includes(line))).toEqual([]);
  const made = (await store.tokens.list()).map(({ id }) => `token.created ${id}`);
  expect(entries.filter((line) => line.startsWith('token.')).toSorted()).toEqual(made.toSorted());
});

test('entries are found by time, actor, action and subject, and removed in slices, questions apart', async () => {
  let now = 1000;
  const opened = await storeEngine.openStore(temporaryFolder(), { now: () => now });
  const { audit } = opened.forTenant('acme');
  const add = (kind: 'question' | 'file' | 'token', id: string) => {
    const verb = kind === 'question' ? 'answered' : 'created';
    return audit.add([{ subject: { kind, id }, verb, facts: {} }], { isDurable: false });
  };
  await ada(() => add('token', 'a'));
  await add('question', 'weekly');
  now = 5000;
  await add('file', 'a');
  const ids = async (...which: Parameters<typeof audit.list>) =>
    (await audit.list(...which)).map(({ id }) => id);
  expect(await ids({}, 9)).toEqual([1001, 1002, 5001]);
  expect(await ids({ after: 1001 }, 1)).toEqual([1002]);
  expect(await ids({ since: 1001 }, 9)).toEqual([5001]);
  expect(await ids({ since: 1000, until: 5000, withQuestions: false }, 9)).toEqual([1001]);
  expect(await ids({ actor: 'U0ADA' }, 9)).toEqual([1001]);
  expect(await ids({ action: 'file' }, 9)).toEqual([5001]);
  expect(await ids({ action: 'file.created', subject: 'b' }, 9)).toEqual([]);
  expect(await audit.remove({ before: 5000, areQuestions: true }, 9)).toBe(1);
  expect(await ids({}, 9)).toEqual([1001, 5001]);
  // The clock was set back: numbers go on all the same.
  now = 2000;
  await add('file', 'b');
  expect(await ids({ after: 5001 }, 9)).toEqual([5002]);
  expect(await audit.remove({ before: 9000, areQuestions: false }, 2)).toBe(2);
  expect(await ids({}, 9)).toEqual([5002]);
  await opened.close();
});

import { expect, test } from '#jest';
import { createNamespace, inStore } from '../../src/cache/namespace.ts';
import { asActor } from '../../src/concurrency/request-scope.ts';
import type { Issue } from '../../src/model/issue.ts';
import { placesInDocuments, placesInWork } from '../../src/store/persons/person-places.ts';
import { byWords, openErasures } from '../../src/store/persons/pseudonyms.ts';
import { openAreas } from '../../src/store/sql/areas.ts';
import { searchIssues } from '../../src/store/sql/persons/search-issues.ts';
import { PersonFindings } from '../../src/store/sql/persons/search-rows.ts';
import { aDigest } from '../support/a-digest.ts';
import { aNudge } from '../support/a-nudge.ts';
import { aStore } from '../support/a-store.ts';
import { aWatch } from '../support/a-watch.ts';
import { anExport, aWish } from '../support/an-export.ts';
import { anIssue } from '../support/issue-story.ts';
import type { TestStore } from '../support/open-test-store.ts';
import { storeEngine } from '../support/store-engine.ts';
import { storedExports } from '../support/stored-exports.ts';
import { dumpTables } from '../support/table-dump.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ada = { id: 'ada', name: 'Ada Byron', login: 'abyron', email: 'ada@example.com' };
const bob = { id: 'bob', name: 'Bob' };
const inAnyWord = /\bada\b|U0ADA|Ada Byron|abyron/i;

const placesOfAda = async (folder: string) =>
  Object.entries(await dumpTables(folder)).flatMap(([name, text]) => (inAnyWord.test(text) ? [name] : []));

/** Issues with Ada in every place, inline as well as by terms, and some with no one. */
function issuesOfAda(): readonly Issue[] {
  return [1, 2, 3, 4].map((number) => {
    const { issue } = anIssue(`WEB-${number}`, '2026-03-02T09:00:00Z');
    if (number === 4) return issue;
    const change = { entry: '', item: 0, at: issue.created + number, by: 'ada' };
    return {
      ...{ ...issue, id: String(number), assignee: ada },
      fields: {
        ...issue.fields,
        assignee: ada,
        reporter: ada,
        creator: bob,
        login: 'abyron',
        team: [bob, ada],
      },
      changes: [
        { ...change, field: 'assignee', from: bob, to: ada },
        // Alone in this issue, so that it is no term.
        {
          ...change,
          field: 'team',
          from: { id: `ada, bob${number}`, name: `Ada Byron, Bob ${number}` },
          to: null,
        },
        { ...change, field: 'reviewer', from: null, to: { id: 'Ada Byron', name: 'Ada Byron' } },
      ],
    };
  });
}

/** Puts Ada into every place where a person can be. */
async function fill(store: TestStore): Promise<void> {
  const issues = store.issues('jira');
  await issues.putIssues(issuesOfAda(), (_, incoming) => incoming);
  await issues.putUsers([ada, bob]);
  await issues.putDirectory({
    groups: [{ id: 'g', name: 'G', members: ['bob', 'ada'] }],
    filters: [
      {
        id: '1',
        name: 'Mine',
        jql: 'assignee = ada OR reporter in ("Ada Byron", bob)',
        owner: 'ada',
        shared: true,
      },
    ],
  });
  await issues.putCategory('9', 'Done', { by: 'ada', at: 0 });
  await issues.putHistoryValues(JSON.stringify({ ids: [['customfield_1', [['Ada Byron', 'ada']]]] }));
  const documents = store.documents('jira');
  const version = {
    version: 1,
    active: true,
    delegator: 'ada',
    delegates: ['bob'],
    categoryIds: [],
    start: 1,
    end: 2,
  };
  await documents.delegations.change('1', () => ({
    versions: [{ ...version, id: 1, savedBy: 'ada', savedAt: 1, notes: '' }],
  }));
  await documents.projectAccess.change('WEB', () => ({
    ...{ project: 'WEB', at: 1, until: 2, access: { people: ['ada', 'bob'], logins: ['abyron'] } },
  }));
  const link = { account: 'U0ADA', user: 'ada', by: 'ada', at: 1, proof: null };
  await documents.links.change('U0ADA', () => ({ revision: 1, link }));
  await documents.flows.change('WEB', () => ({
    project: 'WEB',
    versions: [{ flow: null, at: 1, by: 'ada' }],
  }));
  await store.tokens.change('t', () => ({
    id: 't',
    user: 'ada',
    admin: true,
    createdAt: 1,
    expiresAt: 2,
    active: true,
  }));
  await store.parameterSets.change('s', () => ({
    ...{ id: 's', name: 'Set', ownerId: 'ada', public: false, createdAt: 1, updatedAt: 1 },
    report: { selection: { by: 'user', user: 'ada' } },
  }));
  await store.delegationPermissions.change('jira', () => ({
    view: ['user:ada'],
    viewAll: [],
    editAll: ['bob', 'ada'],
  }));
  await store.digests.change('d', () => ({
    ...aDigest('d'),
    owner: 'U0ADA',
    title: 'assigned to Ada Byron',
  }));
  await store.watches.change('w', () => aWatch('w', { owner: 'U0ADA', muted: ['U0ADA'] }));
  await store.snoozes.change('U0ADA', () => [{ account: 'U0ADA', key: 'WEB-1', since: 1, until: 2 }]);
  await store.watchAlerts.claim('U0ADA', [{ watchId: 'w', key: 'WEB-1', since: 7 }], {
    now: 9,
    stale: 0,
    quietSince: 0,
  });
  await store.nudges.change({ ids: [] }, () => ({
    put: [aNudge({ id: 'WEB-1 ada 2026-03-18', person: ada, account: 'U0ADA' })],
  }));
  const principal = { tenant: store.tenant, account: 'ada', rights: 'user' } as const;
  await storedExports(store.exports).add(anExport('e', { input: aWish({ principal }) }), 9);
  const backing = inStore((how) => store.cache({ ...how, now: () => 1 }));
  const open = (name: string) =>
    createNamespace<unknown>({ name, ttlMs: null, maxEntries: null, now: () => 1, backing });
  await open('channel').set('C1', {
    channel: 'C1',
    calendar: 'normalHours',
    projects: null,
    changedBy: 'U0ADA',
  });
  await open('preferences').set('U0ADA', { projects: ['WEB'] });
  await open('run').set('r', { question: { title: 'Issues of Ada Byron' } });
  await open('run').set('other', { question: { title: 'Issues of all' } });
  await asActor({ account: 'ada', via: 'rest' }, () =>
    store.audit.add([
      { subject: { kind: 'alert', id: 'U0ADA' }, verb: 'posted', facts: { people: { to: ['ada', 'bob'] } } },
    ]),
  );
}

test('a person is replaced in every place of every kind, however often the erasure is interrupted', async () => {
  const folder = temporaryFolder();
  const store = await aStore(folder);
  await fill(store);
  const withPlaces = (all: Readonly<Record<string, { readonly accounts: readonly string[] }>>) =>
    Object.entries(all).flatMap(([kind, { accounts }]) => (accounts.length === 0 ? [] : [kind]));
  const found = (await placesOfAda(folder)).map((name) => name.replace(/ jira$/, ''));
  // A kind whose places no one has put Ada into is not tested.
  expect(found).toEqual(
    expect.arrayContaining([
      ...withPlaces(placesInDocuments).map((kind) => `document ${kind}`),
      ...withPlaces(placesInWork).map((kind) => `work ${kind}`),
      ...['issue', 'issue_term text', 'issue_term value', 'user', 'watch_alert', 'cache_entry', 'audit'],
    ]),
  );

  const person = await store.persons.find('ada');
  expect(person).toMatchObject({
    accounts: ['ada', 'abyron', 'U0ADA'],
    texts: ['Ada Byron', 'ada@example.com'],
  });
  const before = await store.persons.search(person);
  const places: string[] = [];
  await store.persons.search(person, { onPlace: (place) => void places.push(place) });
  for (const end of places) {
    const onPlace = (place: string) => {
      if (place === end) throw new Error('killed');
    };
    await expect(store.persons.erase(await store.persons.find('ada'), { onPlace })).rejects.toThrow('killed');
  }
  await store.persons.erase(await store.persons.find('ada'));
  expect(await placesOfAda(folder)).toEqual([]);
  expect(await store.persons.search(person)).toEqual([]);
  expect(before.map(({ place }) => place).sort()).toEqual(
    [...new Set(before.map(({ place }) => place))].sort(),
  );
  // By the pseudonym it can be repeated.
  const again = await store.persons.find(person.erasure.pseudonym.id);
  expect(again).toMatchObject({ isErased: true, account: null });
  await store.persons.erase(again);

  const { id, name } = person.erasure.pseudonym;
  expect(await store.digests.get('d')).toMatchObject({
    owner: id,
    paused: true,
    nextDue: null,
    title: `assigned to ${name}`,
  });
  expect(await store.watches.get('w')).toMatchObject({ owner: id, paused: true, muted: [id] });
  expect(await store.snoozes.list()).toEqual([]);
  expect(await store.documents('jira').links.list()).toEqual([]);
  expect(await store.exports.list({})).toEqual([]);
  expect(await store.nudges.list({})).toMatchObject([
    { id: `WEB-1 ${id} 2026-03-18`, person: { id, name }, account: id },
  ]);
  expect((await store.issues('jira').directory()).filters[0]?.jql).toBe(
    `assignee = "${id}" OR reporter in ("${id}", bob)`,
  );
  expect(await store.delegationPermissions.get('jira')).toMatchObject({
    view: [`user:${id}`],
    editAll: ['bob', id],
  });
  const entries = await store.audit.list({ actor: id }, 9);
  expect(entries).toMatchObject([{ subject: id, facts: { people: { to: [id, 'bob'] } } }]);
  const issue = await store.issues('jira').issue('WEB-2');
  expect(issue).toMatchObject({
    assignee: { id, name },
    fields: {
      assignee: { id, name },
      reporter: { id, name },
      creator: bob,
      login: id,
      team: [bob, { id, name }],
    },
    changes: [
      { by: id, from: bob, to: { id, name } },
      { from: { id: `bob2, ${id}`, name: `Bob 2, ${name}` }, to: null },
      { to: { id: name, name } },
    ],
  });
});

test('what is written again of an erased person stays erased, in every running process', async () => {
  const folder = temporaryFolder();
  const [store, other] = [await aStore(folder), await aStore(folder)];
  await fill(store);
  // The other process has its terms, and everything else, in memory.
  await other.issues('jira').issue('WEB-1');
  await other.issues('jira').users();
  const person = await store.persons.find('ada');
  await store.persons.erase(person);
  const again = other.issues('jira');
  await again.putUsers([ada, bob]);
  await again.putIssues(
    issuesOfAda().map((issue) => ({ ...issue, updated: issue.updated + 1 })),
    (_, incoming) => incoming,
  );
  await again.putDirectory({
    groups: [{ id: 'h', name: 'H', members: ['ada'] }],
    filters: [
      {
        id: '2',
        name: 'Theirs',
        jql: 'assignee in (ada, "abyron") AND status = 3',
        owner: 'ada',
        shared: true,
      },
    ],
  });
  const { id, name } = person.erasure.pseudonym;
  expect([...(await again.users()).values()]).toEqual([bob, { id, name }]);
  expect(await again.issue('WEB-1')).toMatchObject({ assignee: { id, name } });
  expect((await again.directory()).groups).toMatchObject([{ members: ['bob', id] }, { members: [id] }]);
  expect((await again.directory()).filters[1]).toMatchObject({
    jql: `assignee in ("${id}", "${id}") AND status = 3`,
    owner: id,
  });
  const traces = await store.persons.search(person);
  // A text is not recognized: only the id of the account is.
  expect(traces.filter(({ place }) => place.startsWith('users') || place === 'directory jira')).toEqual([]);
});

test('an issue that the tracker removes while a person is erased stays removed', async () => {
  const folder = temporaryFolder();
  const store = await aStore(folder);
  await store.issues('jira').putIssues(issuesOfAda(), (_, incoming) => incoming);
  const engine = await storeEngine.openEngine(folder);
  const { tenant } = store;
  const areas = openAreas(engine, tenant);
  const erasure = { hash: '', logins: [], pseudonym: { id: 'erased-0', name: 'Erased person 0' }, at: 0 };
  const who = byWords(erasure, '', { accounts: ['ada'], texts: [] });
  const erasures = openErasures(engine, { tenant, secretKeys: null });
  const found = new PersonFindings();
  // Between the reading of the issues and the writing.
  const onRecord = () => store.sync('jira').removeIssues(['2']);
  const search = { engine, areas, tenant, who, words: null, isWriting: true, found, onRecord };
  await searchIssues(search, { tracker: 'jira', erasures });
  await engine.close();
  const issues = store.issues('jira');
  expect(await issues.issue('WEB-2')).toBeNull();
  expect((await issues.issue('WEB-1'))?.assignee).toEqual(erasure.pseudonym);
  expect(await issues.count()).toBe(3);
});

import { afterEach, expect, test } from '#jest';
import { principalOf } from '../../support/principal-of.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { closeSettings, openSettings } from './open-settings.ts';

afterEach(closeSettings);

const admin = principalOf('ada', 'admin');
const bob = principalOf('bob');
const eve = principalOf('eve');
const wish = {
  name: 'My sprint',
  public: false,
  ownerId: null,
  report: { reportType: 'statusDuration', fields: ['assignee'], others: { deep: { a: [1, null] } } },
};

const everyone = ['ada', 'bob', 'eve'];

const unknown = (id: string) => ({
  code: 'not-found',
  message: 'The parameter set could not be found.',
  details: [`parameter set '${id}' could not be found. Try: the ids of GET /rest/parameterSets.`],
});

test('a set is stored as given, with an id, for the person who saves it', async () => {
  const { api } = await openSettings({ known: everyone });
  const saved = await api.createParameterSet(bob, { ...wish, name: '  My sprint ' });
  const whole = { ...wish, id: 'id 1', ownerId: 'bob', createdAt: 1000, updatedAt: 1000 };
  expect(saved).toEqual(whole);
  expect(await api.parameterSet(bob, 'id 1')).toEqual(whole);
});

test('sets outlive the program', async () => {
  const dataDir = temporaryFolder();
  const first = await openSettings({ dataDir, known: everyone });
  const saved = await first.api.createParameterSet(bob, wish);
  first.close();
  const second = await openSettings({ dataDir, known: everyone });
  expect(await second.api.parameterSets(bob)).toEqual([saved]);
});

test('people see their own and public sets, an admin all, by name in any case', async () => {
  const { api } = await openSettings({ known: everyone });
  await api.createParameterSet(bob, { ...wish, name: 'b private' });
  await api.createParameterSet(bob, { ...wish, name: 'C public', public: true });
  await api.createParameterSet(eve, { ...wish, name: 'a of eve' });
  await api.createParameterSet(eve, { ...wish, name: 'B private' });
  const seenBy = async (principal: typeof bob) =>
    (await api.parameterSets(principal)).map(({ name, ownerId }) => `${name} (${ownerId})`);
  expect(await seenBy(bob)).toEqual(['b private (bob)', 'C public (bob)']);
  expect(await seenBy(eve)).toEqual(['a of eve (eve)', 'B private (eve)', 'C public (bob)']);
  expect(await seenBy(admin)).toEqual([
    'a of eve (eve)',
    'b private (bob)',
    'B private (eve)',
    'C public (bob)',
  ]);
});

test("somebody else's private set answers as an id that never existed does", async () => {
  const { api } = await openSettings({ known: everyone });
  const saved = await api.createParameterSet(bob, wish);
  await expect(api.parameterSet(eve, 'id 1')).rejects.toMatchObject(unknown('id 1'));
  await expect(api.parameterSet(eve, 'id 9')).rejects.toMatchObject(unknown('id 9'));
  for (const changes of [{}, { name: '' }, { ownerId: 'eve' }, { ownerId: 'nobody' }]) {
    await expect(api.updateParameterSet(eve, 'id 1', changes)).rejects.toMatchObject(unknown('id 1'));
    await expect(api.updateParameterSet(eve, 'id 9', changes)).rejects.toMatchObject(unknown('id 9'));
  }
  expect(await api.parameterSet(admin, 'id 1')).toEqual(saved);
});

test("somebody else's public set can be read but not changed", async () => {
  const { api } = await openSettings({ known: everyone });
  const saved = await api.createParameterSet(bob, { ...wish, public: true });
  expect(await api.parameterSet(eve, 'id 1')).toEqual(saved);
  for (const changes of [{ name: '' }, { ownerId: null }, { ownerId: 'zoe' }, { public: false }]) {
    await expect(api.updateParameterSet(eve, 'id 1', changes)).rejects.toMatchObject({
      code: 'not-allowed',
      message: 'Forbidden',
      details: ["parameter set 'id 1' belongs to 'bob'; only its owner and administrators can change it."],
    });
  }
  expect(await api.parameterSet(bob, 'id 1')).toEqual(saved);
});

test('an update by the owner or an admin replaces the members given and tells when', async () => {
  const { api, clock } = await openSettings({ known: everyone });
  const saved = await api.createParameterSet(bob, wish);
  clock.now = 2000;
  const renamed = { ...saved, name: 'Next sprint', updatedAt: 2000 };
  expect(await api.updateParameterSet(bob, 'id 1', { name: ' Next sprint ' })).toEqual(renamed);
  clock.now = 3000;
  const changed = { ...renamed, public: true, report: { others: { a: 1 } }, updatedAt: 3000 };
  const changes = { public: true, report: { others: { a: 1 } } };
  expect(await api.updateParameterSet(admin, 'id 1', changes)).toEqual(changed);
  expect(await api.parameterSet(bob, 'id 1')).toEqual(changed);
});

test('only admins save for somebody else', async () => {
  const { api } = await openSettings({ known: everyone });
  const refused = {
    code: 'not-allowed',
    details: ["ownerId 'eve' is another user; only administrators can save a parameter set for others."],
  };
  await expect(api.createParameterSet(bob, { ...wish, ownerId: 'eve' })).rejects.toMatchObject(refused);
  const own = await api.createParameterSet(bob, { ...wish, ownerId: 'bob' });
  await expect(api.updateParameterSet(bob, own.id, { ownerId: 'eve' })).rejects.toMatchObject(refused);
  expect(await api.parameterSets(admin)).toEqual([own]);
  const given = await api.createParameterSet(admin, { ...wish, ownerId: 'eve' });
  expect(given).toMatchObject({ ownerId: 'eve' });
  expect(await api.updateParameterSet(admin, given.id, { ownerId: null })).toMatchObject({ ownerId: 'ada' });
  await expect(api.parameterSet(eve, given.id)).rejects.toMatchObject(unknown(given.id));
});

test.each(['zoe', '', ' '])('an owner %p whom nobody knows is refused', async (ownerId) => {
  const { api } = await openSettings({ known: everyone });
  const saved = await api.createParameterSet(admin, wish);
  const refused = {
    code: 'bad-request',
    details: [`ownerId '${ownerId}' is not a known user. Try: the id of a known user, or null for yourself.`],
  };
  await expect(api.createParameterSet(admin, { ...wish, name: 'X', ownerId })).rejects.toMatchObject(refused);
  await expect(api.updateParameterSet(admin, saved.id, { ownerId })).rejects.toMatchObject(refused);
  expect(await api.parameterSets(admin)).toEqual([saved]);
});

test('where nobody is known any owner will do, but not none', async () => {
  const { api } = await openSettings();
  expect(await api.createParameterSet(admin, { ...wish, ownerId: 'zoe' })).toMatchObject({ ownerId: 'zoe' });
  await expect(api.createParameterSet(admin, { ...wish, ownerId: '' })).rejects.toMatchObject({
    code: 'bad-request',
  });
});

test('an owner who has left since stays the owner', async () => {
  const { api } = await openSettings({ known: ['ada'] });
  await api.createParameterSet(bob, wish);
  expect(await api.updateParameterSet(admin, 'id 1', { ownerId: 'bob', name: 'X' })).toMatchObject({
    ownerId: 'bob',
    name: 'X',
  });
});

const hundredOne = Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`p${i}`, i]));
const wrongs: readonly [string, object, string][] = [
  ['an empty name', { name: ' ' }, "name '' has 0 characters. Try: 1 to 200 characters."],
  [
    'a long name',
    { name: 'n'.repeat(201) },
    `name '${'n'.repeat(60)}…' has 201 characters. Try: 1 to 200 characters.`,
  ],
  [
    'a taken name',
    { name: 'TAKEN' },
    "name 'TAKEN' is the name of another parameter set of 'bob'. Try: a name that none of them has in any case.",
  ],
  [
    'too many parameters',
    { report: { others: hundredOne } },
    `parameters '${JSON.stringify(hundredOne).slice(0, 60)}…' has 101 entries. Try: at most 100 entries.`,
  ],
  [
    'too long parameters',
    { report: { others: { a: 'x'.repeat(99_993) } } },
    `parameters '{"a":"${'x'.repeat(54)}…' has 100001 characters as JSON. Try: at most 100000 characters.`,
  ],
];

test.each(wrongs)('%s is refused, and nothing changes', async (_what, wrong, sentence) => {
  const { api, clock } = await openSettings({ known: everyone });
  const taken = await api.createParameterSet(bob, { ...wish, name: 'Taken' });
  const saved = await api.createParameterSet(bob, wish);
  clock.now = 2000;
  const refused = { code: 'bad-request', details: [sentence] };
  await expect(api.createParameterSet(bob, { ...wish, name: 'New', ...wrong })).rejects.toMatchObject(
    refused,
  );
  await expect(api.updateParameterSet(bob, saved.id, wrong)).rejects.toMatchObject(refused);
  expect(await api.parameterSets(admin)).toEqual([saved, taken]);
});

test('the longest name and the most parameters are kept', async () => {
  const { api } = await openSettings({ known: everyone });
  const { p100: _, ...hundred } = hundredOne;
  const name = 'n'.repeat(200);
  const most = await api.createParameterSet(bob, { ...wish, name, report: { others: hundred } });
  const longest = await api.createParameterSet(bob, {
    ...wish,
    report: { others: { a: 'x'.repeat(99_992) } },
  });
  expect(await api.parameterSets(bob)).toEqual([longest, most]);
});

test('two owners may use one name, and a set may keep its own', async () => {
  const { api } = await openSettings({ known: everyone });
  await api.createParameterSet(bob, wish);
  const other = await api.createParameterSet(eve, wish);
  expect(await api.updateParameterSet(eve, other.id, { name: 'MY SPRINT' })).toMatchObject({
    name: 'MY SPRINT',
  });
  await expect(api.updateParameterSet(admin, other.id, { ownerId: 'bob' })).rejects.toMatchObject({
    code: 'bad-request',
    details: [expect.stringContaining("name 'MY SPRINT' is the name of another parameter set of 'bob'")],
  });
  expect(await api.parameterSet(eve, other.id)).toMatchObject({ ownerId: 'eve' });
});

test('several wrong members are told at once', async () => {
  const { api } = await openSettings({ known: everyone });
  const wrong = { ...wish, name: '', report: { others: hundredOne } };
  await expect(api.createParameterSet(bob, wrong)).rejects.toMatchObject({
    details: [expect.stringMatching(/^name /), expect.stringMatching(/^parameters /)],
  });
});

test('of two sets saved under one name at once only one is kept', async () => {
  const { api } = await openSettings({ known: everyone });
  const outcomes = await Promise.allSettled([
    api.createParameterSet(bob, wish),
    api.createParameterSet(bob, { ...wish, name: 'my SPRINT' }),
  ]);
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(await api.parameterSets(bob)).toHaveLength(1);
});

test('concurrent updates, of two programs too, do not undo each other', async () => {
  const dataDir = temporaryFolder();
  const [one, other] = [
    await openSettings({ dataDir, known: everyone }),
    await openSettings({ dataDir, known: everyone }),
  ];
  const saved = await one.api.createParameterSet(bob, wish);
  await Promise.all([
    one.api.updateParameterSet(bob, saved.id, { name: 'Renamed' }),
    other.api.updateParameterSet(bob, saved.id, { public: true }),
    one.api.updateParameterSet(bob, saved.id, { report: { others: { a: 1 } } }),
  ]);
  const all = { name: 'Renamed', public: true, report: { others: { a: 1 } } };
  expect(await other.api.parameterSet(bob, saved.id)).toEqual({ ...saved, ...all });
});

test('who loses a set while changing it changes nothing', async () => {
  const { store } = await openSettings();
  const { parameterSets } = store;
  // Another program gives the set away after this one has looked.
  const change: typeof parameterSets.change = async (id, changed) => {
    await parameterSets.change(id, (kept) => kept && { ...kept, ownerId: 'eve' });
    return parameterSets.change(id, changed);
  };
  const { api } = await openSettings({ store: { ...store, parameterSets: { ...parameterSets, change } } });
  const saved = await api.createParameterSet(bob, wish);
  await expect(api.updateParameterSet(bob, saved.id, { name: 'X' })).rejects.toMatchObject(unknown(saved.id));
  expect(await api.parameterSet(eve, saved.id)).toEqual({ ...saved, ownerId: 'eve' });
});

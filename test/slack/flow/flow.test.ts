import { afterEach, beforeEach, describe, expect, test } from '#jest';
import { checkBlocks } from '../../../src/slack/blocks/check-blocks.ts';
import { slackPerson } from '../../support/slack-person.ts';
import { startDwellInSlack } from '../../support/start-slack.ts';

const people = [slackPerson('ada', { tz: 'Europe/Berlin' }), slackPerson('bob', { tz: 'Asia/Tokyo' })];
const channels = [{ id: 'C0WEB', name: 'web', members: ['U0ADA', 'U0BOB'] }];

let place: Awaited<ReturnType<typeof startDwellInSlack>>;
beforeEach(async () => {
  place = await startDwellInSlack({
    ...{ people, channels },
    environment: { TRACKER: 'sample', TIME_ZONE: 'UTC' },
  });
});
afterEach(() => place.stop());

type Block = Readonly<Record<string, ReturnType<typeof JSON.parse>>>;

/** The modal of a person once it holds some words. */
async function shows(words: string, as = 'ada') {
  const isThere = () => JSON.stringify(place.slack.openModals(as).at(-1) ?? null).includes(words);
  while (!isThere()) await place.slack.modal(as);
  const view = place.slack.openModals(as).at(-1);
  const blocks = view?.blocks ?? [];
  expect(checkBlocks(blocks, 'modal')).toEqual([]);
  return { blocks: blocks as readonly Block[], text: JSON.stringify(blocks) };
}

/** Opens the flow by the button in the settings. */
async function opens(as = 'ada') {
  await place.slack.types('/tis settings', { as, in: 'web' });
  await shows('Your calendar', as);
  await place.slack.clicks('Flow', { as });
  return shows(as === 'ada' ? 'Clock starts in' : 'Only an admin', as);
}

/** The values that each menu of the form has chosen, by its label. */
function chosenIn(blocks: readonly Block[]) {
  const menus = blocks.filter(({ type }) => type === 'input');
  return Object.fromEntries(
    menus.map(({ label, element }) => {
      const { initial_options: several, initial_option: one } = element;
      const options: readonly Block[] = several ?? (one === undefined ? [] : [one]);
      return [label.text, options.map(({ text }) => text.text)];
    }),
  );
}

const flowOf = async (key = 'WEB') => (await place.dwell.get(`/rest/flows/${key}`)).json;
const stagesOf = async (key = 'WEB') =>
  (await flowOf(key)).stages.map(
    ({ name, kind, statuses }: { name: string; kind: string; statuses: readonly { name: string }[] }) => [
      ...[name, kind, statuses.map((one) => one.name).join(', ')],
    ],
  );
const put = async (change: object, key = 'WEB') => {
  const { revision } = await flowOf(key);
  const boss = place.dwell.as('boss', { admin: true });
  return boss.putJson(`/rest/flows/${key}`, { revision, ...change });
};

/** Ids of the sample's statuses. */
const [toDo, analysis, inProgress, blocked, inReview, qa, done] = [
  ...['10000', '10010', '3', '10005', '10003', '10004', '10002'],
];

/** Submits the form, and waits for a word about it. */
async function saves(entries: Parameters<typeof place.slack.submits>[0], words = 'Saved.') {
  await place.slack.submits(entries, { as: 'ada' });
  return shows(words);
}

describe('the flow in the settings', () => {
  test('is a form for admins, filled in with what counts now', async () => {
    const { blocks, text } = await opens();
    expect(text).toContain('*WEB*\\nDefault: by the categories of its statuses.');
    expect(chosenIn(blocks)).toEqual({
      'Before the start': ['To Do'],
      Active: ['Analysis', 'In Progress', 'Blocked', 'In Review', 'QA'],
      Waiting: [],
      Done: ['Done'],
      'Clock starts in': ['Analysis'],
      Clock: [],
      Target: [],
      'Blocked by': ['A flag', 'A link: blocked by an issue that is not done'],
      'Blocked in': [],
      'Resolutions that do not count': [],
      'Issue types that do not count': [],
      'Sub-tasks': [],
    });
    // What is saved as it was shown is the default still.
    await saves({});
    expect(await flowOf()).toMatchObject({ isDefault: true, revision: 0 });
  });

  test('is previewed and saved with statuses in other stages', async () => {
    await opens();
    const entries = {
      queue: [toDo, analysis],
      active: [inProgress, qa],
      waiting: [blocked, inReview],
      start: inProgress,
      pauses: ['on'],
      target: '90% within 8.5 days',
      blockers: ['links'],
      blockedStatuses: [blocked],
      subtasks: ['on'],
    } as const;
    await place.slack.clicks('Preview', { as: 'ada' });
    expect((await shows('Finished:')).text).toContain('Flow efficiency: – → *–*');
    const { text } = await saves(entries as never);
    expect(text).toContain('Saved. The flow of WEB counts from the next question on, for all of the past.');
    expect(await stagesOf()).toEqual([
      ['To Do', 'queue', 'To Do, Analysis'],
      ['In Progress', 'active', 'In Progress'],
      ['Blocked', 'waiting', 'Blocked'],
      ['In Review', 'waiting', 'In Review'],
      ['QA', 'active', 'QA'],
      ['Done', 'done', 'Done'],
    ]);
    expect(await flowOf()).toMatchObject({
      ...{ revision: 1, isDefault: false, start: 'In Progress', end: 'Done', pauses: true },
      target: { percent: 90, days: 8.5 },
      blockedBy: { flag: false, links: true, statuses: [{ id: blocked, name: 'Blocked' }] },
      notCounted: { resolutions: [], issueTypes: [], subtasks: true },
      changes: [{ by: 'ada' }],
    });
    await place.slack.dismisses({ as: 'ada' });
    const again = await opens();
    expect(again.text).toContain('Set for this project. Last changed by Ada, <!date^');
    expect(chosenIn(again.blocks)).toMatchObject({
      'Before the start': ['To Do', 'Analysis'],
      Waiting: ['Blocked', 'In Review'],
      'Clock starts in': ['In Progress'],
      'Blocked by': ['A link: blocked by an issue that is not done'],
      'Sub-tasks': ['Sub-tasks do not count'],
    });
    await place.slack.clicks('Use the default', { as: 'ada' });
    await shows('Default: by the categories');
    expect(await flowOf()).toMatchObject({ isDefault: true, revision: 2 });
  });

  test('is refused at the menu that is wrong', async () => {
    await opens();
    const entries = { waiting: [inReview], start: toDo, target: 'soon' };
    const submitted = await place.slack.submits(entries as never, { as: 'ada' });
    expect(JSON.stringify(submitted)).toContain(
      'A status here is also in \\"Active\\". Choose one of the two.',
    );
    expect(JSON.stringify(submitted)).toContain('Choose a status that is active or waiting above.');
    expect(JSON.stringify(submitted)).toContain('Try: 85% within 8 days.');
    expect((await flowOf()).revision).toBe(0);
  });

  test('keeps what the form cannot show, and says so', async () => {
    const stages = [
      { name: 'Ideas', kind: 'queue', statuses: [toDo] },
      { name: 'Ready', kind: 'queue', statuses: [analysis] },
      { name: 'Making', kind: 'active', statuses: [inProgress, blocked] },
      { name: 'Checking', kind: 'waiting', statuses: [inReview, qa] },
      { name: 'Live', kind: 'done', statuses: [done] },
    ];
    const variants = [{ issueTypes: ['Bug'], stages: stages.slice(2) }];
    await put({ stages, variants, notCounted: { resolutions: ['Gone away'] } });
    const before = await flowOf();
    const { text } = await opens();
    for (const sentence of [
      'Stages of several statuses, which stay as long as these stay together: *Making* (In Progress, Blocked), *Checking* (In Review, QA).',
      'Issue types with stages of their own, which stay: Bug.',
      'To change that, use REST or `npx dwell flow WEB`.',
    ])
      expect(text).toContain(sentence);
    await saves({ pauses: ['on'] });
    const after = await flowOf();
    expect(after).toMatchObject({ ...before, pauses: true, revision: 2, changes: [{}, {}] });
    await place.slack.dismisses({ as: 'ada' });
    await opens();
    // A whole stage gets another kind and keeps its name; of another one a status leaves.
    await saves({ active: [inProgress, inReview, qa], waiting: [blocked] } as never);
    expect(await stagesOf()).toEqual([
      ['Ideas', 'queue', 'To Do'],
      ['Ready', 'queue', 'Analysis'],
      ['Making', 'active', 'In Progress'],
      ['Blocked', 'waiting', 'Blocked'],
      ['Checking', 'active', 'In Review, QA'],
      ['Live', 'done', 'Done'],
    ]);
    expect((await flowOf()).variants).toEqual(before.variants);
  });

  test('says that it was changed meanwhile, and shows the new one', async () => {
    await opens();
    await put({ ...(await flowOf()), pauses: true });
    const { text, blocks } = await saves({ subtasks: ['on'] }, 'changed since');
    expect(text).toContain(
      ':warning: The flow was changed since you opened this form, so nothing was saved. This is the flow as it is now.',
    );
    expect(chosenIn(blocks)).toMatchObject({
      Clock: ['Pause it while an issue is back before the start'],
      'Sub-tasks': [],
    });
    await put({ isDefault: true });
    await place.slack.clicks('Preview', { as: 'ada' });
    await shows('Default: by the categories');
    await saves({ subtasks: ['on'] });
    expect(await flowOf()).toMatchObject({ revision: 3, notCounted: { subtasks: true }, pauses: false });
  });

  test('is shown of another project that is chosen', async () => {
    await opens();
    const { slack } = place;
    expect(JSON.stringify(await slack.asksForOptions('flow-project', 'op', { as: 'ada' }))).toContain(
      '"OPS"',
    );
    await slack.clicks('flow-project', { as: 'ada', entry: 'OPS' });
    const { blocks } = await shows('*OPS*');
    expect(chosenIn(blocks)).toMatchObject({
      Done: ['Resolved', 'Closed'],
      'Clock starts in': ['In Progress'],
    });
    await saves({ pauses: ['on'] });
    expect([(await flowOf('OPS')).pauses, (await flowOf('WEB')).revision]).toEqual([true, 0]);
  });

  test('is read by others, with who can change it', async () => {
    await put({
      stages: [
        { name: 'Making', kind: 'active', statuses: [inProgress, inReview] },
        { name: 'QA', kind: 'waiting', statuses: [qa] },
        { name: 'Done', kind: 'done', statuses: [done] },
      ],
    });
    const { text, blocks } = await opens('bob');
    for (const line of [
      '*Making* (active): In Progress, In Review\\n*QA* (waiting)\\n*Done* (done)',
      '*Clock:* from Making to Done, not paused while back before the start',
      '*In no stage:* To Do, Analysis, Blocked; their categories count',
      'Only an admin of Dwell, or of the project WEB in its tracker, can change its flow.',
    ])
      expect(text).toContain(line);
    expect(blocks.filter(({ type }) => type === 'input')).toEqual([]);
    await place.slack.asksForOptions('flow-project', 'app', { as: 'bob' });
    await place.slack.clicks('flow-project', { as: 'bob', entry: 'APP' });
    expect((await shows('*APP*', 'bob')).text).toContain('*To Do* (before the start): Backlog, Selected');
  });
});

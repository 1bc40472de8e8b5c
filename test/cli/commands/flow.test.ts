import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '#jest';
import { startDwell, type TestDwell } from '../../support/start-dwell.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let dwell: TestDwell;
let file: string;
beforeEach(async () => {
  dwell = await startDwell();
  file = join(temporaryFolder(), 'flow.json');
});
afterEach(() => dwell.stop());

const printed = async (...words: string[]) => (await dwell.types('flow', ...words)).lines;
const json = async (...words: string[]) => JSON.parse((await printed(...words, '--json')).join('\n'));

test('shows the flow of a project, and where it comes from', async () => {
  expect(await printed('web')).toEqual([
    'Flow of WEB, revision 0. Default: by the categories of its statuses.',
    '  Stage        Kind              Statuses',
    '  To Do        before the start  To Do',
    '  Analysis     active            Analysis',
    '  In Progress  active            In Progress',
    '  Blocked      active            Blocked',
    '  In Review    active            In Review',
    '  QA           active            QA',
    '  Done         done              Done',
    'Clock: from Analysis to Done, not paused while back before the start',
    'Blocked by: a flag, a link to an open issue',
    'Does not count: nothing',
  ]);
  expect(await json('WEB')).toEqual((await dwell.get('/rest/flows/WEB')).json);
});

test('sets it to what a file says, after a look at what that changes', async () => {
  writeFileSync(file, (await printed('WEB', '--json')).join('\n'));
  const flow = JSON.parse(readFileSync(file, 'utf8'));
  flow.stages[4].kind = 'waiting';
  flow.stages.at(-1).statuses.push('QA');
  flow.stages.splice(5, 1);
  const variants = [{ issueTypes: ['Bug'], stages: flow.stages }];
  const notCounted = { resolutions: ["Won't Do"], subtasks: true };
  const blockedBy = { flag: false, statuses: ['Blocked'] };
  writeFileSync(
    file,
    JSON.stringify({ ...flow, variants, notCounted, blockedBy, start: 'In Progress', pauses: true }),
  );
  const preview = await printed('WEB', '--file', file, '--preview');
  expect(preview.map((line) => line.split(/ {2,}/)[0])).toEqual([
    ...['Last 8 weeks', 'Finished', 'Median cycle time', 'In progress now', 'Flow efficiency'],
  ]);
  const { now, draft } = await json('WEB', '--file', file, '--preview');
  expect([now.flowEfficiency, now.finished > draft.finished]).toEqual([null, true]);
  expect(draft.flowEfficiency).toBeGreaterThan(0);
  expect((await json('WEB')).revision).toBe(0);

  const set = await printed('WEB', '--file', file);
  expect([set[0], ...set.slice(-4)]).toEqual([
    'Flow of WEB, revision 1. Set for this project.',
    'Clock: from In Progress to Done, paused while back before the start',
    'Blocked by: a link to an open issue, status Blocked',
    "Does not count: resolution Won't Do, sub-tasks",
    'Bug: To Do → Analysis → In Progress → Blocked → In Review → Done; from Analysis to Done, not paused while back before the start',
  ]);
  // What the command prints is what it takes.
  writeFileSync(file, (await printed('WEB', '--json')).join('\n'));
  expect((await json('WEB', '--file', file)).revision).toBe(1);
  const figures = await json('WEB', '--default', '--preview');
  expect(figures.draft).toEqual(now);
  expect((await printed('WEB', '--default'))[0]).toBe(
    'Flow of WEB, revision 2. Default: by the categories of its statuses.',
  );
});

test('refuses a flow that was changed since its file was written', async () => {
  writeFileSync(file, (await printed('WEB', '--json')).join('\n'));
  const boss = dwell.as('boss', { admin: true });
  await boss.putJson('/rest/flows/WEB', { ...(await json('WEB')), pauses: true });
  await expect(printed('WEB', '--file', file)).rejects.toMatchObject({
    reason: 'changed-meanwhile',
    details: ["revision '0' is not the latest one, 1. Try: read the flow again."],
  });
});

test('says what is wrong with a line, or with its file', async () => {
  writeFileSync(file, '{ "revision": 0, "stages": [');
  const details = (...words: string[]) =>
    printed(...words).then(
      () => null,
      ({ details }) => details,
    );
  expect([
    await details(),
    await details('WEB', 'APP'),
    await details('NOPE'),
    await details('WEB', '--preview'),
    await details('WEB', '--default', '--file', file),
    await details('WEB', '--file', file),
    await details('WEB', '--file', `${file}.not`),
  ]).toEqual([
    ['PROJECT is missing. Try: flow PROJECT [--file FILE | --default] [--preview].'],
    ["Unexpected argument 'APP'. Try: flow PROJECT [--file FILE | --default] [--preview]."],
    ["projectKey 'NOPE' is not a project, or you don't have access to it. Try: the key of a project."],
    ['--preview goes with --file or --default.'],
    ['--default and --file exclude each other.'],
    [`--file '${file}' is not JSON. Try: what --json prints.`],
    [`--file '${file}.not' cannot be read. Try: the path of a file of JSON.`],
  ]);
  writeFileSync(file, JSON.stringify({ stages: [{ name: 'Doing', kind: 'busy', statuses: [] }] }));
  expect(await details('WEB', '--file', file)).toEqual([
    'revision is required. Try: a number.',
    "stages[0].kind 'busy' is not known. Try: queue, active, waiting, done.",
    expect.stringMatching(
      /^stages '.*' has too few entries\. Try: a stage that is active, and one that is done\.$/,
    ),
  ]);
});

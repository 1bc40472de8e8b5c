import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, watch } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createStoreMirror } from '../../src/mirror/create-store-mirror.ts';
import type { ExportRecord } from '../../src/model/export.ts';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts';
import type { Store } from '../../src/store/store.ts';
import { anIssue } from '../support/issue-story.ts';
import { anOffice, type Office } from '../support/local-exports.ts';
import { localReporting } from '../support/local-reporting.ts';
import { seeded } from '../support/seeded.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const program = fileURLToPath(new URL('../support/export-process.ts', import.meta.url));
const ISSUES = 500;
const KILLS = 25;
/** After five attempts that were killed an export is given up. */
const KILLS_OF_ONE = 4;
const statuses = ['In Progress', 'In Review', 'To Do', 'In Progress', 'In Review', 'Done'];
const begin = Date.parse('2026-03-18T12:00:00Z');
const ada = { user: 'ada', admin: false };

const dataDir = temporaryFolder();
const folder = join(dataDir, 'exports');
const compiled = temporaryFolder();
let store: Store;
let undisturbed: Office;
let clock = begin;
/** What processes told they had queued. */
let announced = '';

beforeAll(async () => {
  store = openSqliteStore(dataDir);
  const issues = store.issues('file');
  await issues.putIssues(
    Array.from({ length: ISSUES }, (_, i) =>
      statuses.reduce(
        (story, status, day) => story.moves(status, `2026-03-0${day + 3}T09:00:00Z`),
        anIssue(`DEMO-${i + 1}`, '2026-03-02T09:00:00Z'),
      ),
    ).map(({ issue }) => issue),
    (_, incoming) => incoming,
  );
  await issues.putStatuses(
    [...new Set(statuses)].map((name) => ({ id: name, name, category: 'In Progress', deleted: false })),
    null,
  );
  await issues.putFilledAt(begin);
  const reporting = localReporting(createStoreMirror('file', issues), () => clock, { pages: store.pages });
  undisturbed = anOffice({ reporting });
});
afterAll(async () => {
  await undisturbed.close();
  store.close();
});

/** Starts a process for whom every earlier lease is over. */
function start(wanted: number): {
  process: ChildProcess;
  ended: Promise<{ code: number | null; err: string }>;
} {
  clock += 60_000;
  const args = ['--disable-warning=ExperimentalWarning', program, dataDir, String(wanted), String(clock)];
  const child = spawn(process.execPath, args, {
    env: { NODE_COMPILE_CACHE: compiled },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let err = '';
  child.stdout.on('data', (text) => {
    announced += text;
  });
  child.stderr.on('data', (text) => {
    err += text;
  });
  return { process: child, ended: once(child, 'close').then(([code]) => ({ code, err })) };
}

const records = async () => (await store.exports.list(ada, { start: 0, size: 99 })).records;
const newest = async () => (await records())[0];

/** How far a process has come with the newest export, by what an onlooker sees of it. */
const phases = ['begun', 'queued', 'taken', 'opened', 'written', 'renamed', 'ended'] as const;
type Phase = (typeof phases)[number];

async function phaseSince(before: ExportRecord | undefined): Promise<Phase> {
  const record = await newest();
  if (record === undefined) return 'begun';
  if (record.id === before?.id && record.attempts === before.attempts) return 'begun';
  if (record.state === 'Queued') return 'queued';
  if (record.state !== 'Running') return 'ended';
  const path = join(folder, `${record.id}-${record.attempts}`);
  if (existsSync(`${path}.csv`)) return 'renamed';
  const part = statSync(`${path}.part`, { throwIfNoEntry: false });
  return part === undefined ? 'taken' : part.size === 0 ? 'opened' : 'written';
}

/** Kills a process as soon as a phase is reached, or a little later. Tells what it had come to. */
async function killedIn(aim: Phase, later: number, wanted: number): Promise<Phase> {
  const before = await newest();
  const { process, ended } = start(wanted);
  // The final name is there for a moment only: too short for looking at the store again and again.
  const watcher = watch(folder, (_, name) => {
    if (aim === 'renamed' && name?.endsWith('.csv') && existsSync(join(folder, name)))
      process.kill('SIGKILL');
  });
  while (aim !== 'renamed' && process.exitCode === null) {
    if (phases.indexOf(await phaseSince(before)) >= phases.indexOf(aim)) break;
    await nextRound();
  }
  for (let i = 0; i < later && process.exitCode === null; i += 1) await nextRound();
  if (aim !== 'renamed') process.kill('SIGKILL');
  expect((await ended).err).toBe('');
  watcher.close();
  return phaseSince(before);
}

function nextRound(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1));
}

/** What the file of an export is when nobody kills anything. */
async function wholeFile({ wish }: ExportRecord): Promise<Buffer> {
  const { path, close } = await undisturbed.exports.now(wish);
  const bytes = readFileSync(path);
  await close();
  return bytes;
}

/** What kills aim at, in turns: as many as one export bears, and an export that is killed after its end. */
const aims: readonly Phase[] = [
  'queued',
  'written',
  'renamed',
  'taken',
  'opened',
  'begun',
  'renamed',
  'ended',
];

test('an export whose process is killed at any moment ends once, with the whole file and nothing beside it', async () => {
  const random = seeded(20_260_318);
  const hits: Phase[] = [];
  for (let wanted = 1; hits.length < KILLS; wanted += 1) {
    // The first process is left in peace, and keeps its compiled program for the others.
    for (let kill = 1; wanted > 1 && kill <= KILLS_OF_ONE; kill += 1) {
      const aim = aims[hits.length % aims.length] ?? 'begun';
      const hit = await killedIn(aim, Math.floor(random() * (aim === 'begun' ? 200 : 8)), wanted);
      hits.push(hit);
      if (hit === 'ended') break;
    }
    const before = await records();
    expect(await start(wanted).ended).toEqual({ code: 0, err: '' });
    const [record, ...earlier] = await records();
    if (record === undefined) throw new Error('Nothing was queued');
    expect(earlier).toHaveLength(wanted - 1);
    expect(record).toMatchObject({ state: 'Successful', completed: ISSUES, total: ISSUES, message: null });
    // What has ended does not end again.
    const endedBefore = before.filter(({ finishedAt }) => finishedAt !== null);
    expect([record, ...earlier]).toEqual(expect.arrayContaining(endedBefore));
    const file = readFileSync(join(folder, `${record.id}-${record.attempts}.csv`));
    expect(file.equals(await wholeFile(record))).toBe(true);
    expect(file).toHaveLength(record.bytes ?? 0);
  }
  const all = await records();
  const names = all.map(({ id, attempts }) => `${id}-${attempts}.csv`);
  expect(readdirSync(folder).toSorted()).toEqual(names.toSorted());
  expect(all.map(({ id }) => id)).toEqual(expect.arrayContaining(announced.trimEnd().split('\n')));
  expect(hits).toEqual(expect.arrayContaining(['taken', 'renamed', 'ended']));
});

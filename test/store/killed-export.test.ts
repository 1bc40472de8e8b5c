import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '#jest';
import { formatOf } from '../../src/api/exports/write-export.ts';
import { createPageLists } from '../../src/api/reporting/load-page.ts';
import { createStoreMirror } from '../../src/mirror/create-mirrors.ts';
import type { ExportRecord } from '../../src/model/export.ts';
import { type ExportMoment, exportMoments } from '../support/export-moments.ts';
import { lastMoment } from '../support/export-traces.ts';
import { type FileKind, fileKinds } from '../support/file-kinds.ts';
import { anIssue } from '../support/issue-story.ts';
import { digestOf, readLedger } from '../support/ledger-notifier.ts';
import { anOffice, type Office, until } from '../support/local-exports.ts';
import { localReporting } from '../support/local-reporting.ts';
import { testOnSqlite } from '../support/on-sqlite.ts';
import { openTestStore, type TestStore } from '../support/open-test-store.ts';
import { principalOf } from '../support/principal-of.ts';
import { type RunningProcess, runSupportProcess } from '../support/run-process.ts';
import { seeded } from '../support/seeded.ts';
import { runs, soaking } from '../support/soak.ts';
import { storedIn } from '../support/stored-in.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ISSUES = 220;
const KILLS_BETWEEN = runs(1);
const MAX_MS_LATER = 12;
const ofEachAttempt = ['taken', 'writing', 'written', 'renamed'] as const;
/** Long enough for a part of the list to reach the disk before its end is read. */
const long = 'Something that is told at length. '.repeat(30);
const statuses = ['In Progress', 'In Review', 'To Do', 'In Progress', 'In Review', 'Done'];
const begin = Date.parse('2026-03-18T12:00:00Z');
const ada = principalOf('ada');

const dataDir = temporaryFolder();
const folder = join(dataDir, 'exports');
const ledger = join(dataDir, 'ledger');
const undisturbedClock = { now: begin };
let store: TestStore;
let undisturbed: Office;
let clock = begin;
/** How many exports there are to be. */
let wanted = 0;

beforeAll(async () => {
  store = await openTestStore(dataDir);
  const issues = store.issues('file');
  await issues.putIssues(
    Array.from({ length: ISSUES }, (_, i) =>
      statuses.reduce(
        (story, status, day) => story.moves(status, `2026-03-0${day + 3}T09:00:00Z`),
        anIssue(`DEMO-${i + 1}`, '2026-03-02T09:00:00Z'),
      ),
    ).map(({ issue }) => ({ ...issue, fields: { ...issue.fields, story: long } })),
    (_, incoming) => incoming,
  );
  await issues.putStatuses(
    [...new Set(statuses)].map((name) => ({ id: name, name, category: 'In Progress', deleted: false })),
    null,
  );
  await issues.putFilledAt(begin);
  const mirror = createStoreMirror('file', issues);
  const now = () => undisturbedClock.now;
  const pages = createPageLists({ stored: storedIn(store, now), now });
  const reporting = localReporting(mirror, now, { pages });
  undisturbed = await anOffice({ reporting, clock: undisturbedClock });
  undisturbed.exports.start({});
  mkdirSync(folder);
  writeFileSync(ledger, '');
});
afterAll(async () => {
  await undisturbed.close();
  store.close();
});

const inPeace = { code: 0, signal: null, err: '' };
const killed = { code: null, signal: 'SIGKILL', err: '' };

/** Starts a process for whom every earlier lease is over. */
function start(kind?: FileKind, dieIn?: ExportMoment): RunningProcess {
  clock += 60_000;
  const args = [dataDir, String(wanted), String(clock), kind?.name ?? '', dieIn ?? ''];
  return runSupportProcess('export-process.ts', ...args);
}

/** The moments that have come in a process so far. */
const momentsOf = ({ out }: Pick<RunningProcess, 'out'>) => out().split('\n').slice(0, -1);

/** How a process ended, for which every moment came once and in order. */
async function endOf(started: RunningProcess) {
  const { out: _, ...end } = await started.ended;
  const moments = momentsOf(started);
  expect(moments).toEqual(exportMoments.filter((moment) => moments.includes(moment)));
  return end;
}

const records = async () => store.exports.list({ owner: ada.account });

async function newest(): Promise<ExportRecord> {
  const [record] = await records();
  if (record === undefined) throw new Error('Nothing was queued');
  return record;
}

/** What the file of an export is when nobody kills anything. */
async function wholeFile({ input: wish, createdAt }: ExportRecord): Promise<Buffer> {
  undisturbedClock.now = createdAt;
  const { id } = await undisturbed.exports.queue(wish);
  await until(async () => (await undisturbed.exports.get(ada, id)).finishedAt !== null);
  const file = await undisturbed.exports.file(ada, id);
  return readFileSync(await file.localPath());
}

/** The exports before the newest one, what was kept of it after each kill, and its file when nobody kills anything. */
interface Course {
  readonly before: readonly ExportRecord[];
  readonly trail: readonly ExportRecord[];
  readonly whole: Buffer;
}

/** The newest export comes to its end in peace: once, whole, shared once, and with nothing else left of it. */
async function expectGoodEnd(kind: FileKind, { before, trail, whole }: Course): Promise<void> {
  expect(await endOf(start(kind))).toEqual(inPeace);
  const record = await newest();
  const all = await records();
  expect(all.slice(1)).toEqual(before);
  expect(record).toMatchObject({ state: 'Successful', completed: ISSUES, total: ISSUES, message: null });
  const ends = trail.filter(({ finishedAt }) => finishedAt !== null);
  for (const { delivery, ...end } of ends) expect(record).toMatchObject(end);
  const nameOf = ({ id, attempts, input: wish }: ExportRecord) =>
    `${id}-${attempts}.${formatOf(wish).extension}`;
  const file = readFileSync(join(folder, nameOf(record)));
  expect(file.equals(whole)).toBe(true);
  expect(file).toHaveLength(record.bytes ?? 0);
  const { shareId } = record.delivery?.note ?? {};
  expect(record.delivery).toEqual({ door: 'slack', note: { channel: 'C1', shareId }, pending: false });
  const shares = readLedger(ledger).filter(({ exportId }) => exportId === record.id);
  expect(shares).toEqual([{ exportId: record.id, shareId, digest: digestOf(whole) }]);
  expect(readdirSync(folder).toSorted()).toEqual(all.map(nameOf).toSorted());
}

/** A file through a stream, one through a ZIP, and one through two spools. */
const everyWay = fileKinds.slice(0, 3);
/** Only in these phases the way of writing matters: those of the queue and of the delivery are gone through once. */
const ofWriting: readonly ExportMoment[] = ['writing', 'written', 'renamed'];
/** One in the queue, one at the file, one at the end of it and one of the delivery, where there is little time. */
const ofEachPart: readonly ExportMoment[] = ['taken', 'written', 'finished', 'shared'];
const courses = everyWay.slice(0, soaking ? 3 : 1).map((kind, i) => ({
  kind,
  name: kind.name,
  phases: soaking ? (i === 0 ? exportMoments.slice(1) : ofWriting) : ofEachPart,
}));

// Each engine is asked for the same: a soak kills in every phase over both, a quick run over SQLite.
(soaking ? test : testOnSqlite).each(courses)(
  'an export as $name that is killed when queued and in $phases ends once',
  async ({ kind, phases }) => {
    const before = await records();
    wanted = before.length + 1;
    expect(await endOf(start(kind, 'queued'))).toEqual(killed);
    const trail = [await newest()];
    const whole = await wholeFile(await newest());
    const seen = [lastMoment(await newest(), { folder, ledger, whole, ...kind })];
    for (const moment of phases) {
      expect(await endOf(start(kind, moment))).toEqual(killed);
      trail.push(await newest());
      seen.push(lastMoment(await newest(), { folder, ledger, whole, ...kind }));
    }
    expect(seen).toEqual(['queued', ...phases]);
    await expectGoodEnd(kind, { before, trail, whole });
  },
);

test.each(fileKinds.slice(0, soaking ? undefined : 1))(
  'an export as $name that is killed somewhere between ends once',
  async (kind) => {
    const random = seeded(20_260_318 + fileKinds.indexOf(kind));
    const upTo = (most: number) => Math.floor(random() * most);
    const before = await records();
    wanted = before.length + 1;
    const trail: ExportRecord[] = [];
    for (let kill = 0; kill < KILLS_BETWEEN; kill += 1) {
      const aim = ofEachAttempt[upTo(ofEachAttempt.length)] ?? 'taken';
      await killedSome(upTo(MAX_MS_LATER), aim, start(kind));
      trail.push(await newest());
    }
    await expectGoodEnd(kind, { before, trail, whole: await wholeFile(await newest()) });
  },
);

/** Kills a process so many milliseconds after it has told a moment, unless that does not come any more. */
async function killedSome(later: number, moment: ExportMoment, started: RunningProcess): Promise<void> {
  const { process } = started;
  const isOver = () => process.exitCode !== null;
  while (!isOver() && !momentsOf(started).includes(moment)) await nextRound();
  for (let i = 0; i < later && !isOver(); i += 1) await nextRound();
  process.kill('SIGKILL');
  expect((await endOf(started)).err).toBe('');
}

function nextRound(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1));
}

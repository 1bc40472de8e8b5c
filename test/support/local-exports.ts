import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach } from '#jest';
import { createExports } from '../../src/api/exports/create-exports.ts';
import { createCycleTimes } from '../../src/api/outcomes/issue-outcomes.ts';
import type { ReportingApi } from '../../src/api/reporting/reporting-api.ts';
import type { AppError } from '../../src/model/error.ts';
import type { ExportRecord } from '../../src/model/export.ts';
import { createFolderBlobs } from '../../src/store/folder-blobs.ts';
import type { Work } from '../../src/store/work-kinds.ts';
import { anIssue } from './issue-story.ts';
import { oneSigningKey } from './one-signing-key.ts';
import { openTestStore } from './open-test-store.ts';
import { principalOf } from './principal-of.ts';
import { smallWorld } from './small-world.ts';
import { storedExports } from './stored-exports.ts';
import { temporaryFolder } from './temporary-folder.ts';

const AT = '2026-03-18T12:00:00Z';
const quick = { pollMs: 5, renewMs: 2 };

/** Everything may be left out; `changeStore` stands between an export and its store. */
export interface OfficeParts {
  readonly reporting?: ReportingApi;
  readonly dataDir?: string;
  readonly clock?: { now: number };
  readonly key?: string;
  readonly changeStore?: (store: Work<ExportRecord>) => Work<ExportRecord>;
}

/** A process that makes exports, over a store and a folder that others may share. */
export type Office = Awaited<ReturnType<typeof anOffice>>;

/** Three issues that have moved. */
export const threeIssues = ['DEMO-1', 'DEMO-2', 'DEMO-3'].map(
  (key, i) =>
    anIssue(key, `2026-03-0${i + 2}T09:00:00Z`)
      .moves('In Progress', '2026-03-09T09:00:00Z')
      .moves('Done', `2026-03-1${i}T10:00:00Z`).issue,
);

export async function anOffice({
  reporting = smallWorld(AT, threeIssues),
  dataDir = temporaryFolder(),
  clock = { now: Date.parse(AT) },
  key = 'a secret of this installation',
  changeStore = (store) => store,
}: OfficeParts = {}) {
  const store = await openTestStore(dataDir);
  const folder = join(dataDir, 'exports');
  const calls = { idle: 0, renewals: 0, held: 0 };
  const counted: Work<ExportRecord> = {
    ...store.exports,
    async claim(...told) {
      const record = await store.exports.claim(...told);
      if (record === null) calls.idle += 1;
      else calls.held += 1;
      return record;
    },
    async keep(...told) {
      calls.renewals += 1;
      return store.exports.keep(...told);
    },
    async release(...told) {
      const isReleased = await store.exports.release(...told);
      calls.held -= 1;
      return isReleased;
    },
  };
  const logged: { level: number; msg: string; reference?: string; err?: { message: string } }[] = [];
  const exports = createExports(
    {
      reporting,
      cycleTimes: createCycleTimes(reporting),
      store: changeStore(counted),
      blobs: createFolderBlobs(folder),
      keys: oneSigningKey(key),
      isActive: async () => true,
      now: () => clock.now,
      newId: () => crypto.randomUUID(),
      version: '1.2.3',
      log: pino({ level: 'debug' }, { write: (line: string) => void logged.push(JSON.parse(line)) }),
    },
    quick,
  );
  let isClosed = false;
  return {
    exports,
    store,
    stored: storedExports(store.exports),
    clock,
    dataDir,
    folder,
    logged,
    /** Names of what lies in the folder. */
    lying(): readonly string[] {
      try {
        return readdirSync(folder).sort();
      } catch {
        return [];
      }
    },
    /** Waits until somebody who began to look for work from now on has found none. */
    async looked(): Promise<void> {
      const before = calls.idle;
      await until(() => calls.idle >= before + 2);
    },
    /** Waits until nothing is worked on. */
    rested: () => until(() => calls.held === 0),
    /** Waits while a lease is renewed some times. */
    async renewed(): Promise<void> {
      const before = calls.renewals;
      await until(() => calls.renewals >= before + 5);
    },
    /** Waits for the end of an export. */
    ended: (id: string) =>
      until(async () => {
        const record = await exports.get(principalOf('ada', 'admin'), id);
        return record.finishedAt !== null && record;
      }),
    async close(): Promise<void> {
      if (isClosed) return;
      isClosed = true;
      await exports.stop(1_000);
      store.close();
    },
  };
}

/** Opens offices that are closed after the test they were opened in. */
export function suiteOffices(): typeof anOffice {
  const offices: Office[] = [];
  afterEach(async () => {
    for (const office of offices.splice(0)) await office.close();
  });
  return async (parts) => {
    const office = await anOffice(parts);
    offices.push(office);
    return office;
  };
}

/** The reason and the sentences of a refusal; `none` where there is none. */
export function refusal(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => 'none',
    ({ reason, message, details }: AppError) => [reason, message, ...details],
  );
}

/** Longer nothing here takes, however busy the machine is. */
const TIMEOUT_MS = 120_000;
/** The longest pause between two looks. */
const MAX_PAUSE_MS = 50;

/** Waits for what is going to be; fails where it never is. */
export async function until<Value>(
  look: () => Promise<Value | false | null> | Value | false | null,
): Promise<Value> {
  const begun = performance.now();
  for (;;) {
    const seen = await look();
    if (seen !== false && seen !== null) return seen;
    const waitedMs = performance.now() - begun;
    if (waitedMs > TIMEOUT_MS) throw new Error(`It did not come: ${look}`);
    // Looks are the rarer the longer it takes, and leave the processor to what is waited for.
    await new Promise((resolve) => setTimeout(resolve, Math.min(waitedMs / 10, MAX_PAUSE_MS)));
  }
}

import { randomUUID } from 'node:crypto';
import { basename, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { backupInstant } from '../api/backups/create-backups.ts';
import type { CliOutput, Command } from '../cli/cli-command.ts';
import type { RestoreParts } from '../cli/commands/restore.ts';
import type { StoreParts } from '../cli/commands/store.ts';
import { badRequest, badRequestAs } from '../model/error.ts';
import type { Instant } from '../model/issue.ts';
import { filesIn, type MovedFiles, type MoveSide } from '../store/move/move-side.ts';
import { moveStore, releaseSource } from '../store/move/move-store.ts';
import type { S3Place } from '../store/s3/s3-client.ts';
import type { OnUpgrade } from '../store/store.ts';
import type { Config } from './config.ts';
import { httpSurroundings } from './http-surroundings.ts';
import { logUpgrade, upgradeText } from './log-problem.ts';
import type { Settings } from './run-import.ts';
import { databaseAddressProblem } from './settings-schema.ts';
import { makeTenantFolder } from './tenant-folder.ts';

/** The word of a command line for the setting, whose value may have a password. */
const SETTING = 'DATABASE_URL';

/** The parts of a command that runs without a Dwell. */
interface AloneParts extends CliOutput {
  readonly settings: () => Promise<Settings>;
  readonly now: () => Instant;
}

/** The line of a command, ready to run; null where its help was requested, which is printed. */
async function lineOf<Parts extends Pick<CliOutput, 'out'>>(
  command: Command<Parts>,
  args: readonly string[],
  { out }: CliOutput,
) {
  const { readCommandLine } = await import('../cli/read-command-line.ts');
  const line = readCommandLine<Parts>([command], args);
  if (!('help' in line)) return line;
  out(line.help);
  return null;
}

/** Runs `npx dwell store`, with the stores alone: what it does is to be done while no Dwell runs. Returns the exit code. */
export async function runStore(
  args: readonly string[],
  { settings, now, ...output }: AloneParts,
): Promise<number> {
  const { store } = await import('../cli/commands/store.ts');
  const line = await lineOf<StoreParts>(store, args, output);
  if (line === null) return 0;
  const { config } = await settings();
  const opened: MoveSide[] = [];
  const open = async (place: string) => {
    const side = await openSide(place, config, {
      now,
      onUpgrade: (progress) => output.progress(`Upgrading the store: ${upgradeText(progress)}`),
    });
    opened.push(side);
    return side;
  };
  try {
    return await line.run({
      ...output,
      stores: {
        async move({ from, to, isForced }, onProgress) {
          const sides = { from: await open(from), to: await open(to) };
          return moveStore({ ...sides, isForced, newId: randomUUID, now, onProgress });
        },
        async release(from) {
          const side = await open(from);
          const mark = await releaseSource(side);
          return { store: side.place, movedTo: mark?.other ?? null };
        },
      },
    });
  } finally {
    for (const side of opened) await side.close();
  }
}

/** Opens a side of a move: a folder by its path, a database by its address or the word for the setting. */
async function openSide(
  place: string,
  config: Config,
  { now, onUpgrade }: { readonly now: () => Instant; readonly onUpgrade: OnUpgrade },
): Promise<MoveSide> {
  const url = place === SETTING ? config.databaseUrl : place;
  if (url === null) throw badRequest(`${SETTING} is not set. Set it to the address of a database.`);
  const { blobs } = config;
  if (place === SETTING || /^postgres(ql)?:\/\//.test(place)) {
    const problem = databaseAddressProblem(url);
    if (problem !== null) throw badRequest(`The address of the database is not valid. ${problem}.`);
    const { openPostgresSide } = await import('../store/move/postgres-side.ts');
    if (blobs?.kind === 'folder') return openPostgresSide(url, filesIn(config.dataDir), onUpgrade);
    if (blobs?.kind === 's3') return openPostgresSide(url, filesInBucket(blobs), onUpgrade);
    const { files, close } = await filesInDatabase(url, config, now);
    const side = openPostgresSide(url, files, onUpgrade);
    return {
      ...side,
      // The connection knows its place once it is open.
      get place() {
        return side.place;
      },
      get emptied() {
        return side.emptied;
      },
      async close() {
        await close();
        await side.close();
      },
    };
  }
  if (place.includes('://'))
    throw badRequest(`'${place.split(':')[0]}:' is not the address of a store. Try: postgres://…`);
  const { openSqliteSide } = await import('../store/move/sqlite-side.ts');
  const folder = resolve(place);
  return openSqliteSide(folder, blobs?.kind === 's3' ? filesInBucket(blobs) : filesIn(folder), onUpgrade);
}

/** Files that both sides have in one bucket, so that none is copied. */
function filesInBucket({ bucket, prefix }: S3Place): MovedFiles {
  return {
    place: `s3://${bucket}/${prefix}`,
    async of() {
      throw new Error('Nothing is copied within a bucket.');
    },
  };
}

/** The files that are rows of a database, which is opened once one is copied. */
async function filesInDatabase(
  url: string,
  config: Config,
  now: () => Instant,
): Promise<{ readonly files: MovedFiles; readonly close: () => Promise<void> }> {
  const { blobsIn } = await import('../store/open-store.ts');
  const { openEngine } = await import('../store/postgres/open-engine.ts');
  const surroundings = { ...httpSurroundings(now), wait: (ms: number) => pause(ms) };
  const blobs = await blobsIn({ ...config, blobs: { kind: 'table' } }, surroundings);
  let engine: Awaited<ReturnType<typeof openEngine>> | null = null;
  return {
    files: {
      place: 'rows of the database',
      async of(tenant) {
        engine ??= await openEngine(url);
        makeTenantFolder(config.dataDir, tenant);
        return blobs(engine)(tenant)('exports');
      },
    },
    async close() {
      await engine?.close();
    },
  };
}

/** Runs `npx dwell restore`, without a Dwell on the folder: it is to be done while none runs. Returns the exit code. */
export async function runRestore(
  args: readonly string[],
  { settings, now, ...output }: AloneParts,
): Promise<number> {
  const { restore } = await import('../cli/commands/restore.ts');
  const line = await lineOf<RestoreParts>(restore, args, output);
  if (line === null) return 0;
  const { config, log } = await settings();
  return line.run({
    ...output,
    stores: {
      async restore({ file, to, isReplacing, isResumed }, onStep) {
        if (to === null && config.databaseUrl !== null) {
          throw badRequestAs(
            'not-possible-here',
            'The store is a database of PostgreSQL, which its own tools restore. Try: pg_restore --clean --if-exists --no-owner dwell.dump with the address in DATABASE_URL as --dbname.',
          );
        }
        const { restoreCopy } = await import('../store/sqlite/restore-copy.ts');
        const dataDir = resolve(to ?? config.dataDir);
        const { isScheduled, ...restored } = await restoreCopy({
          file,
          dataDir,
          copiedAt: backupInstant(basename(file)),
          isReplacing,
          secretKeys: config.secretKeys,
          newStamp: randomUUID,
          now,
          onUpgrade: () => logUpgrade(log),
          onStep,
        });
        if (!isScheduled || !isResumed) return { ...restored, posting: isScheduled ? 'paused' : 'none' };
        const { buildDwell } = await import('./build-dwell.ts');
        const dwell = await buildDwell({ ...config, dataDir, databaseUrl: null }, { now, log });
        try {
          await dwell.commandLine.restore.resume();
        } finally {
          await dwell.stop();
        }
        return { ...restored, posting: 'resumed' };
      },
    },
  });
}

import { cpSync, readFileSync } from 'node:fs';
import { pino } from 'pino';
import { readConfig } from '../../src/compose/config.ts';
import { runStore } from '../../src/compose/run-store.ts';
import { AppError, failureText } from '../../src/model/error.ts';
import { tally } from '../../src/store/move/move-store.ts';
import { tableShapes } from '../../src/store/move/moved-tables.ts';
import { readSecretKeys } from '../../src/store/sealed-secrets.ts';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts';
import { fixture } from './fixture.ts';
import { leftFolder } from './left-folder.ts';
import { sideOf } from './move-sides.ts';
import type { NamesInStore } from './read-whole-store.ts';
import { storeEngine } from './store-engine.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** The key of secrets, as the databases of tests have it as well. */
export const { SECRET_KEY = '' } = storeEngine.environment('');

/** What Dwell 0.8.0 left in a folder, and how it was opened again. */
interface Left {
  readonly files: Readonly<Record<string, string>>;
  readonly names: NamesInStore;
  readonly at: string;
  readonly tokens: Readonly<Record<string, string>>;
}
export const left: Left = JSON.parse(readFileSync(fixture('dwell-0.8.0.json'), 'utf8'));

/** What a command has printed, and its exit code. */
interface Ended {
  readonly out: string;
  readonly err: string;
  readonly code: number | null;
}

/** Types `store`, with these settings. */
export async function types(
  environment: Readonly<Record<string, string>>,
  ...args: string[]
): Promise<Ended> {
  const printed = { out: '', err: '' };
  try {
    const code = await runStore(args, {
      now: () => Date.parse(left.at),
      settings: async () => ({
        config: readConfig({ TIME_ZONE: 'UTC', SECRET_KEY, ...environment }),
        log: pino({ level: 'silent' }),
      }),
      out(line) {
        printed.out += `${line}\n`;
      },
      err(line) {
        printed.err += `${line}\n`;
      },
      progress: () => {},
    });
    return { ...printed, code };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { ...printed, err: `${failureText(error)}\n`, code: 1 };
  }
}

let made: Promise<string> | null = null;

/** A folder that Dwell 0.8.0 left, upgraded, with its secrets encrypted. */
export async function filledFolder(): Promise<string> {
  made ??= makeFolder();
  const dataDir = temporaryFolder();
  cpSync(await made, dataDir, { recursive: true });
  return dataDir;
}

async function makeFolder(): Promise<string> {
  const dataDir = leftFolder('dwell-0.8.0.sql', left.files);
  const store = await openSqliteStore(dataDir, { secretKeys: readSecretKeys(SECRET_KEY, []) });
  await store.rotateSecrets();
  await store.close();
  return dataDir;
}

/** The rows and the checksums of all tables. */
export async function checksums(place: string): Promise<Readonly<Record<string, string>>> {
  const side = sideOf(place);
  const all: Record<string, string> = {};
  for (const table of tableShapes) {
    const { rows, checksum } = await tally(side, table);
    all[table.name] = `${rows} ${checksum}`;
  }
  await side.close();
  return all;
}

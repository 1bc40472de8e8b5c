import { accessSync, constants, existsSync, readFileSync, realpathSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { type Finding, fine, note, problem, warning } from '../../../cli/finding.ts';
import { systemCode } from '../../../model/error.ts';
import { sizeText } from '../../../output/size-text.ts';
import type { Check } from '../check.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** The Node that runs, compared with the one that the project brings. */
export const nodeCheck: Check = {
  name: 'Node',
  needs: [],
  async run({ node: { version, file } }) {
    const pinned = pinnedVersion();
    const isOwn = file.startsWith(realpathSync(`${root}node_modules`));
    const where = isOwn ? "the project's own" : file;
    if (version === pinned) return [fine(`${version} (${where})`)];
    const text = `${version} (${where}); Dwell is tested with ${pinned}.`;
    const cure = `Run npm ci in ${root}, which brings that one, then start Dwell with npm start.`;
    return [majorOf(version) === majorOf(pinned) ? note(text) : warning(text, cure)];
  },
};

/** The packages with a Node have its version. */
function pinnedVersion(): string {
  const text = readFileSync(`${root}package.json`, 'utf8');
  const { optionalDependencies } = z
    .object({ optionalDependencies: z.record(z.string(), z.string()) })
    .parse(JSON.parse(text));
  const name = Object.keys(optionalDependencies).find((one) => /^node-(bin-)?(darwin|linux|win)-/.test(one));
  return optionalDependencies[name ?? ''] ?? '';
}

function majorOf(version: string): string | undefined {
  return version.split('.')[0];
}

/** The free space (bytes) below which writing soon fails. */
const MIN_FREE = 50_000_000;

/** The rights that let other users of the machine write. */
const OTHERS_WRITE = 0o022;

/** The folder of the data: its rights, and the free space of its disk. */
export const diskCheck: Check = {
  name: 'Disk',
  needs: [],
  async run({ config: { dataDir } }) {
    const isThere = existsSync(dataDir);
    const folder = isThere ? dataDir : existingAbove(dataDir);
    return [...rightsOf(folder, isThere), ...spaceOf(dataDir, folder)];
  },
};

function existingAbove(folder: string): string {
  const parent = dirname(folder);
  return existsSync(parent) || parent === folder ? parent : existingAbove(parent);
}

function rightsOf(folder: string, isThere: boolean): readonly Finding[] {
  const stats = statSync(folder);
  const { mode, uid } = stats;
  if (!stats.isDirectory())
    return [problem(`${folder} is a file, so DATA_DIR cannot be there.`, 'Set DATA_DIR to another folder.')];
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const what = isThere ? 'cannot be read and written' : 'takes no new folder for DATA_DIR';
    const cure = 'Run as the user who owns it, give it to this user, or set another DATA_DIR.';
    return [problem(`${folder} ${what} (${systemCode(error)}).`, cure)];
  }
  const database = join(folder, 'dwell.db');
  // A command as root makes a database that the user of the server cannot write to.
  const owner = statSync(database, { throwIfNoEntry: false })?.uid ?? uid;
  return [
    ...(isThere && (mode & OTHERS_WRITE) !== 0
      ? [warning(`other users can write to ${folder}.`, `Run chmod 700 ${folder}.`)]
      : []),
    ...(owner === uid
      ? []
      : [
          warning(
            `${database} belongs to user ${owner}, and its folder to user ${uid}.`,
            `Run chown --reference=${folder} ${database}*.`,
          ),
        ]),
  ];
}

function spaceOf(dataDir: string, folder: string): readonly Finding[] {
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  const database = sizeOf(join(dataDir, 'dwell.db')) + sizeOf(join(dataDir, 'dwell.db-wal'));
  const has = `${folder} has ${sizeText(free)} free`;
  if (free < MIN_FREE) return [problem(`${has}: nothing can be saved soon.`, 'Free some space.')];
  if (free < database) return [warning(`${has}; a backup needs ${sizeText(database)}.`, 'Free some space.')];
  return [fine(database === 0 ? has : `${has}; the database has ${sizeText(database)}`)];
}

/** The size (bytes) of a file; 0 where it is not there, or not for this user to see. */
function sizeOf(file: string): number {
  try {
    return statSync(file).size;
  } catch {
    return 0;
  }
}

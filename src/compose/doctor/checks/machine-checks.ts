import { accessSync, constants, existsSync, readFileSync, realpathSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { type Finding, fine, note, problem, warning } from '../../../cli/finding.ts';
import { systemCode } from '../../../model/error.ts';
import { sizeText } from '../../../output/readable-text.ts';
import { dateText } from '../../../time/date-text.ts';
import { isZoneOrOffset } from '../../../time/zones.ts';
import type { Check, DoctorContext } from '../doctor-context.ts';

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

/** The most (ms) that a clock may be off; leases and signatures depend on it. */
const MAX_OFFSET_MS = 2_000;

/** This machine's clock, compared with those of the services that show theirs. */
export const clockCheck: Check = {
  name: 'Clock',
  needs: [],
  async run(context) {
    const offsets = (await Promise.all(sources(context))).flatMap(({ name, aheadMs }) =>
      aheadMs === null ? [] : [{ name, aheadMs }],
    );
    if (offsets.length === 0)
      return [note('not compared: no database server, Slack or tracker shows its time')];
    const wrong = offsets.filter(({ aheadMs }) => Math.abs(aheadMs) > MAX_OFFSET_MS);
    if (wrong.length === 0) {
      const largest = Math.max(...offsets.map(({ aheadMs }) => Math.abs(aheadMs)));
      return [fine(`within ${secondsText(largest)} of ${offsets.map(({ name }) => name).join(', ')}`)];
    }
    return wrong.map(({ name, aheadMs }) =>
      problem(
        `this machine is ${secondsText(Math.abs(aheadMs))} ${aheadMs > 0 ? 'behind' : 'ahead of'} ${name}.`,
        'Set its clock with a time service such as chrony.',
      ),
    );
  },
};

/** The clocks to compare with; one that cannot be read has a finding elsewhere. */
function sources({ store, slack, tracker, now, maxCheckMs }: DoctorContext) {
  const orNull = async (name: string, read: () => Promise<number | null>) => ({
    name,
    // One that is silent does not keep the others from being compared.
    aheadMs: await Promise.race([read().catch(() => null), pause(maxCheckMs / 2, null, { ref: false })]),
  });
  return [
    orNull('the database', async () => {
      const examined = await store();
      return examined?.connections == null ? null : ((await examined.data?.clockOffset(now)) ?? null);
    }),
    orNull('Slack', async () => (await slack())?.aheadMs ?? null),
    orNull('the tracker', async () => (await (await tracker())?.connection.site())?.clockAheadMs ?? null),
  ];
}

function secondsText(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

/** The time zone of dates without an offset. */
export const zoneCheck: Check = {
  name: 'Time zone',
  needs: ['zone'],
  async run({ config: { timeZone }, settings: { present }, now }) {
    if (!isZoneOrOffset(timeZone))
      return [
        problem(
          `${timeZone} is not a time zone that this Node knows.`,
          'Set TIME_ZONE, such as Europe/Berlin.',
        ),
      ];
    const offset = dateText(now(), 'XXX', timeZone);
    const text = timeZone === 'UTC' ? timeZone : `${timeZone}, now UTC${offset === 'Z' ? '' : offset}`;
    if (present.includes('TIME_ZONE')) return [fine(text)];
    return [note(`${text}, the machine's; set TIME_ZONE if the tracker's server is elsewhere`)];
  },
};

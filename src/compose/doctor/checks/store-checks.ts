import { millisecondsInDay } from 'date-fns/constants';
import { latestBackup } from '../../../api/backups/create-backups.ts';
import { awaitsResume } from '../../../api/restore/create-restore.ts';
import { type Finding, fine, note, problem, warning } from '../../../cli/finding.ts';
import { pausedText } from '../../../model/digest.ts';
import { failureText } from '../../../model/error.ts';
import { defaultTenant } from '../../../model/request.ts';
import { ageText, sizeText } from '../../../output/readable-text.ts';
import type { ExaminedData, ExaminedStore } from '../../../store/examined-store.ts';
import { stampFile } from '../../tenant-folder.ts';
import type { Check } from '../doctor-context.ts';

/** The connections of one process: its pool, and one for signals. */
const CONNECTIONS_OF_PROCESS = 11;

/** The store: it opens, fits this Dwell, and its secrets can be decrypted. */
export const storeCheck: Check = {
  name: 'Store',
  needs: ['store'],
  async run({ config, store }) {
    const examined = await store();
    if (examined === null) return [note(`none in ${config.dataDir} yet: the first start makes it`)];
    const { problems, data } = examined;
    return [
      ...schemaOf(examined),
      ...problems.map((sentence) => problem(sentence)),
      ...connectionsOf(examined),
      ...(data === null ? [] : await secretsOf(data)),
    ];
  },
};

function schemaOf({ engine, bytes, schema, upgrade }: ExaminedStore): readonly Finding[] {
  if (schema.stored === null) return [note(`${engine}, an empty database: the first start makes its tables`)];
  if (upgrade === null) return [fine(`${engine}, schema ${schema.stored}, ${sizeText(bytes)}`)];
  const needs = upgrade.isSlow
    ? `it takes some minutes for a million issues, and up to ${sizeText(bytes / 2)} of free disk`
    : 'it is over at once';
  return [
    note(
      `${engine}, schema ${schema.stored} of an earlier Dwell: the next start or command upgrades it to ${schema.known}; ${needs}.`,
      'Copy the database first.',
    ),
  ];
}

function connectionsOf({ connections }: ExaminedStore): readonly Finding[] {
  if (connections === null || connections.max - connections.open >= CONNECTIONS_OF_PROCESS) return [];
  const { open, max } = connections;
  return [
    warning(
      `${open} of ${max} connections of the database are open; a process of Dwell opens up to ${CONNECTIONS_OF_PROCESS}.`,
      'Raise max_connections.',
    ),
  ];
}

async function secretsOf(data: ExaminedData): Promise<readonly Finding[]> {
  const { plain, problem: unreadable } = await data.secrets();
  if (unreadable !== null) return [problem(failureText(unreadable))];
  return plain > 0 ? [note(plainText(plain))] : [];
}

function plainText(count: number): string {
  return `${count} ${count === 1 ? 'secret is' : 'secrets are'} not encrypted: only the rights of the file protect ${count === 1 ? 'it' : 'them'}`;
}

/** The database from its beginning to its end, for damage. */
export const integrityCheck: Check = {
  name: 'Integrity',
  needs: ['store'],
  isSlow: true,
  async run({ store }) {
    const data = (await store())?.data ?? null;
    if (data === null) return [note('not checked: there is no store of this version yet')];
    if (data.damage === null) return [note('not checked here: pg_amcheck reads a PostgreSQL database')];
    const [first, ...others] = await data.damage();
    if (first === undefined) return [fine('the whole database was read, and nothing is damaged')];
    const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
    return [problem(`the database is damaged: ${first}${more}.`, 'Stop Dwell, and restore a backup.')];
  },
};

/** The posts on a schedule: whether they are paused. */
export const postingCheck: Check = {
  name: 'Posting',
  needs: ['store'],
  async run({ config: { databaseUrl, dataDir }, data, store: examined }) {
    const store = await data();
    if ('level' in store) return [store];
    const file = databaseUrl === null ? stampFile(dataDir, defaultTenant) : null;
    const identity = async () => (await (await examined())?.data?.identity()) ?? null;
    if (await awaitsResume(store, { file, identity })) return [warning(pausedText)];
    const [digests, watches] = [await store.digests.list(), await store.watches.list()];
    return [fine(`not paused (digests: ${digests.length}, watches: ${watches.length})`)];
  },
};

const MAX_AGE_MS = 7 * millisecondsInDay;

/** The last backup. */
export const backupsCheck: Check = {
  name: 'Backups',
  needs: ['store'],
  async run({ config: { databaseUrl }, store, data, now }) {
    if (databaseUrl !== null) return [note('not seen here: a PostgreSQL database is copied by pg_dump')];
    const stored = await data();
    if ('level' in stored) return [stored];
    const last = await latestBackup(stored);
    const cure = 'Run `npx dwell backup FILE`, every day.';
    if (last === null) {
      const age = now() - ((await store())?.madeAt ?? now());
      return [
        age > millisecondsInDay ? warning('there is none yet.', cure) : note('none yet, and the data is new'),
      ];
    }
    const { at, file, bytes, verified } = last;
    const age = now() - at;
    const text = `${file} (${sizeText(bytes)}), ${ageText(age)}`;
    if (age > MAX_AGE_MS) return [warning(`the last one is ${text}.`, cure)];
    return [verified ? fine(text) : warning(`the last one is ${text}, and was not verified.`, cure)];
  },
};

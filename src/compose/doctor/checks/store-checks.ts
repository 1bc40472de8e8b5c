import { type Finding, fine, note, problem, warning } from '../../../cli/finding.ts';
import { failureText } from '../../../model/error.ts';
import { sizeText } from '../../../output/size-text.ts';
import type { ExaminedData, ExaminedStore } from '../../../store/examined-store.ts';
import type { Check } from '../check.ts';

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

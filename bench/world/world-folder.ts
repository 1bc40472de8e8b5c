import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { createTokens } from '../../src/api/people/tokens.ts';
import { openTestStore } from '../../test/support/open-test-store.ts';
import {
  flagField,
  inventIssue,
  people,
  projects,
  sprintList,
  statuses,
  WORLD_VERSION,
  worldNow,
} from './invent-issue.ts';
import { office } from './office.ts';

const BATCH = 1_000;
const KEPT_MS = 2 * 24 * 3_600_000;

const facts = z.object({ visits: z.number(), spans: z.number(), changes: z.number(), token: z.string() });

/**
 * A store with so many issues, and the same histories as plain columns for what is measured beside the product.
 * `dataDir` is what `DATA_DIR` names, `columns` a folder with one file per column, `token` an admin's for REST.
 */
export interface World extends z.output<typeof facts> {
  readonly issues: number;
  readonly folder: string;
  readonly dataDir: string;
  readonly columns: string;
}

/**
 * The world of a size: written the first time it is asked for, and kept below the system's temporary folder until the
 * issues or the form of the store are other ones.
 */
export async function worldOf(issues: number): Promise<World> {
  const home = join(tmpdir(), 'dwell-bench');
  const folder = join(home, `${issues}-${formOfWorlds()}`);
  const place = { issues, folder, dataDir: join(folder, 'data'), columns: join(folder, 'columns') };
  if (!existsSync(join(folder, 'world.json'))) {
    forgetOld(home, issues);
    // What was given up half way is no world.
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(place.columns, { recursive: true });
    console.error(`Writing ${issues.toLocaleString('en')} issues, once …`);
    const written = await writeWorld(place);
    writeFileSync(join(folder, 'world.part'), JSON.stringify(written));
    renameSync(join(folder, 'world.part'), join(folder, 'world.json'));
  }
  return { ...place, ...facts.parse(JSON.parse(readFileSync(join(folder, 'world.json'), 'utf8'))) };
}

/** Other issues, or another form of the store, have another name. */
function formOfWorlds(): string {
  const hash = createHash('sha256').update(`world ${WORLD_VERSION}`);
  const sources = ['packed', 'sql', 'sqlite']
    .map((name) => `../../src/store/${name}`)
    .map((path) => join(import.meta.dirname, path));
  for (const source of sources) {
    for (const file of readdirSync(source)
      .filter((name) => name.endsWith('.ts'))
      .sort())
      hash.update(readFileSync(join(source, file)));
  }
  return hash.digest('hex').slice(0, 10);
}

/** Of the same size and another form, unless somebody may be at work with them. */
function forgetOld(home: string, issues: number): void {
  if (!existsSync(home)) return;
  for (const name of readdirSync(home).filter((one) => one.startsWith(`${issues}-`))) {
    const old = join(home, name);
    if (Date.now() - statSync(old).mtimeMs > KEPT_MS) rmSync(old, { recursive: true, force: true });
  }
}

/** Removes the snapshot of the columns, which the next start makes from the store. */
export function forgetSnapshots(dataDir: string): void {
  const cache = join(dataDir, 'tenants', 'default', 'cache');
  if (!existsSync(cache)) return;
  for (const file of readdirSync(cache).filter((one) => /^columns-/.test(one))) rmSync(join(cache, file));
}

async function writeWorld({ issues: count, dataDir, columns }: Omit<World, keyof z.output<typeof facts>>) {
  const store = await openTestStore(dataDir);
  const kept = store.issues('file');
  await kept.putStatuses(statuses, 'statuses.json');
  await kept.putUsers(people);
  await kept.putDirectory({
    sprints: sprintList,
    fields: [flagField],
    access: [{ kind: 'project', id: 'HR', viewers: ['group:hr'] }],
  });
  await store.calendars.addNumbered({ name: '', first: 101 }, (id) => ({ ...office, id }));
  const lists = newLists();
  for (let at = 0; at < count; at += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, count - at) }, (_, i) => inventIssue(at + i));
    for (const issue of batch) addTo(lists, issue);
    await kept.putIssues(batch, (_kept, incoming) => incoming);
  }
  await kept.putFilledAt(worldNow);
  const token = await createTokens({ store, now: Date.now }).issue({
    user: people[0]?.id ?? '',
    admin: true,
    lifetimeMs: 10 * 365 * 24 * 3_600_000,
  });
  await store.close();
  lists.visitOffset.push(lists.visitStart.length);
  lists.spanOffset.push(lists.spanStart.length);
  for (const [name, values] of Object.entries(lists)) {
    const bytes = formOf[name as keyof typeof formOf].from(values);
    writeFileSync(join(columns, name), bytes);
  }
  const { visitStart, spanStart } = lists;
  return {
    visits: visitStart.length,
    spans: spanStart.length,
    changes: lists.changes.reduce((a, b) => a + b, 0),
    token,
  };
}

const newLists = () => ({
  visitOffset: [] as number[],
  visitStart: [] as number[],
  visitStatus: [] as number[],
  spanOffset: [] as number[],
  spanStart: [] as number[],
  spanPerson: [] as number[],
  project: [] as number[],
  type: [] as number[],
  priority: [] as number[],
  updated: [] as number[],
  changes: [] as number[],
});

/** How wide a column is; the first and the fourth say where an issue's own begin. */
const formOf = {
  visitOffset: Uint32Array,
  visitStart: Float64Array,
  visitStatus: Uint8Array,
  spanOffset: Uint32Array,
  spanStart: Float64Array,
  spanPerson: Uint16Array,
  project: Uint8Array,
  type: Uint8Array,
  priority: Uint8Array,
  updated: Float64Array,
  changes: Uint8Array,
} as const;

const personNumbers = new Map(people.map(({ id }, i) => [id, i + 1]));

function addTo(lists: ReturnType<typeof newLists>, issue: ReturnType<typeof inventIssue>): void {
  lists.visitOffset.push(lists.visitStart.length);
  lists.spanOffset.push(lists.spanStart.length);
  const moves = issue.changes.filter(({ field }) => field === 'status');
  const first = moves[0]?.from ?? issue.status;
  lists.visitStart.push(issue.created, ...moves.map(({ at }) => at));
  lists.visitStatus.push(Number(first.id), ...moves.map(({ to }) => Number(to?.id)));
  const given = issue.changes.filter(({ field }) => field === 'assignee');
  const person = (value: { readonly id: string } | null) => personNumbers.get(value?.id ?? '') ?? 0;
  lists.spanStart.push(issue.created, ...given.map(({ at }) => at));
  lists.spanPerson.push(
    person(given[0] === undefined ? issue.assignee : given[0].from),
    ...given.map(({ to }) => person(to)),
  );
  lists.project.push(projects.indexOf(issue.project.id));
  lists.type.push(codeOf(issue.fields.issuetype));
  lists.priority.push(codeOf(issue.fields.priority));
  lists.updated.push(issue.updated);
  lists.changes.push(issue.changes.length);
}

/** The last digits of an id are a small number. */
function codeOf(content: unknown): number {
  return z
    .object({ id: z.string() })
    .catch({ id: '0' })
    .transform(({ id }) => Number(id) % 100)
    .parse(content);
}

/** The columns of a world, read from their files. */
export function readColumns({ columns }: Pick<World, 'columns'>) {
  const bytes = (name: string) => {
    const { buffer } = new Uint8Array(readFileSync(join(columns, name)));
    return buffer;
  };
  return {
    visitOffset: new Uint32Array(bytes('visitOffset')),
    visitStart: new Float64Array(bytes('visitStart')),
    visitStatus: new Uint8Array(bytes('visitStatus')),
    spanOffset: new Uint32Array(bytes('spanOffset')),
    spanStart: new Float64Array(bytes('spanStart')),
    spanPerson: new Uint16Array(bytes('spanPerson')),
    project: new Uint8Array(bytes('project')),
    type: new Uint8Array(bytes('type')),
    priority: new Uint8Array(bytes('priority')),
    updated: new Float64Array(bytes('updated')),
  };
}

export type Columns = ReturnType<typeof readColumns>;

import { memo } from '../../cache/memo.ts';
import { createYieldIfDue } from '../../concurrency/cooperative-yield.ts';
import { chunksOf, type IssueChunk, joinChunks, rememberByChunk } from '../../issues/issue-chunks.ts';
import { projectKeyOf } from '../../issues/issue-fields.ts';
import type { Mirror, UnreadIssue } from '../../mirror/mirror.ts';
import type { AskersDirectory, FieldName, Sprint } from '../../model/directory.ts';
import { badRequest } from '../../model/error.ts';
import type { FieldContent, FieldValue, Instant, Issue, Status, User } from '../../model/issue.ts';
import type { BrowsePermissions } from '../../model/permissions.ts';
import type { Asker } from '../../model/request.ts';
import { isTimeZone } from '../../time/zones.ts';
import { closedProjects, type Rights, rightsOf } from '../access-rules.ts';
import { findInTurns } from './yielding-loops.ts';

/** The world in which one question is asked; it stays the same until the question is answered. */
export interface Scene {
  readonly asker: Asker;
  readonly askedAt: Instant;
  /** The instant the answer speaks of. */
  readonly asOf: Instant;
  /** The zone of the question, else the asker's. */
  readonly timeZone: string;
  readonly tracker: string;
  readonly dataAsOf: Instant | null;
  readonly directory: AskersDirectory;
  /** Issues closed to the asker only because the tracker could not be asked about them. */
  readonly unasked: number;
  /** Issues of projects the asker may see of which nothing can be read. */
  readonly unread: readonly UnreadIssue[];
  readonly statuses: ReadonlyMap<string, Status>;
  /** The people with these ids. */
  readonly people: (ids: Iterable<string>) => Promise<ReadonlyMap<string, User>>;
  /** Any issue by key, whoever may see it. */
  readonly issue: (key: string) => Promise<Issue | null>;
  /** `unavailable` while an issue that is not here may be yet to come. */
  readonly settled: () => Promise<void>;
  /**
   * All issues the asker may see, and what the asker may know beside them. `formerKeys`: of any issue, whoever may see
   * it, its key by each that it had before.
   */
  readonly world: () => Promise<{
    readonly visible: readonly Issue[];
    readonly vocabulary: Vocabulary;
    readonly formerKeys: ReadonlyMap<string, string>;
  }>;
}

/** Looks at the mirror on behalf of an asker. A zone nobody knows is `bad-request`. */
export async function openScene(
  mirror: Mirror,
  {
    asker,
    asOf,
    askedAt,
    timeZone,
    usualZone,
  }: Pick<Scene, 'asker' | 'askedAt'> & {
    readonly asOf: Instant | null;
    readonly timeZone: string | null;
    /** Where the tracker tells none of the asker. */
    readonly usualZone: string;
  },
): Promise<Scene> {
  if (timeZone !== null && !isTimeZone(timeZone)) {
    throw badRequest(
      `timeZone '${timeZone}' is not known; allowed: an IANA time zone, such as Europe/Berlin.`,
    );
  }
  const [directory, statuses, own, unread] = await Promise.all([
    mirror.directoryFor(asker),
    mirror.statuses(),
    mirror.users([asker.user]),
    mirror.unread?.() ?? [],
  ]);
  const isClosed = closedProjects(asker, directory);
  return {
    asker,
    askedAt,
    asOf: asOf ?? askedAt,
    timeZone: timeZone ?? zoneOf(own.get(asker.user), usualZone),
    tracker: await mirror.tracker(),
    dataAsOf: await mirror.filledAt(),
    directory,
    unasked: asker.admin ? 0 : (directory.sight?.unasked ?? 0),
    unread: asker.admin ? unread : unread.filter((one) => isClosed?.(projectKeyOf(one)) !== true),
    statuses,
    people: (ids) => mirror.users(ids),
    issue: (key) => mirror.issue(key),
    settled: () => mirror.settled(),
    async world() {
      const [all, users, formerKeys] = await Promise.all([
        mirror.issues(),
        mirror.users(),
        mirror.formerKeys(),
      ]);
      const visible = await visibleIssues(all, asker, directory);
      const some = visible.length < all.length;
      const everything = { statuses, users, directory };
      return {
        visible,
        formerKeys,
        vocabulary: await findInTurns(() => askerVocabulary(asker, everything, { visible, some })),
      };
    },
  };
}

/** A person's own zone where the tracker tells one that exists, else the tracker server's. */
export function zoneOf(user: User | undefined, otherwise: string): string {
  const own = user?.timeZone;
  return own !== undefined && isTimeZone(own) ? own : otherwise;
}

/** By sight, or by asker and rules. */
type Seen = Map<string | BrowsePermissions, readonly Issue[]>;

/** What was looked up in an array of issues stays true as long as the array lives, and as its chunks do. */
const seenIn = memo((_issues: readonly Issue[]): Seen => new Map());
/** An array may be its own only chunk. */
const seenInChunk = memo((_chunk: IssueChunk): Seen => new Map());

/**
 * The issues an asker may see; the same array for the same issues, asker and rights, so that it may be remembered. A
 * chunk all of which may be seen is the very same. Others get their turn while many are looked through.
 */
export async function visibleIssues(
  all: readonly Issue[],
  asker: Asker,
  rights: Rights,
): Promise<readonly Issue[]> {
  if (asker.admin) return all;
  const key = rights.sight ?? keyOfRules(asker, rights);
  const seen = seenIn(all);
  const found = seen.get(key);
  if (found !== undefined) return found;
  const maySee = rightsOf(asker, rights);
  const pace = createYieldIfDue();
  const chunks = chunksOf(all);
  const visible: IssueChunk[] = [];
  for (const chunk of chunks) {
    const known = seenInChunk(chunk).get(key) ?? keep(seenInChunk(chunk), key, visibleOf(chunk, maySee));
    if (known.length > 0) visible.push(known);
    const rest = pace();
    if (rest !== null) await rest;
  }
  const isWhole = visible.length === chunks.length && visible.every((chunk, i) => chunk === chunks[i]);
  // Somebody else may have been quicker.
  const done = seen.get(key);
  if (done !== undefined) return done;
  if (isWhole) seenWhole.add(all);
  return keep(seen, key, isWhole ? all : joinChunks(visible));
}

/** Arrays that somebody who is no admin sees all of. */
const seenWhole = new WeakSet<readonly Issue[]>();

/** Whether these, found for somebody, are all there are. */
export function isEverything(visible: readonly Issue[]): boolean {
  return seenWhole.has(visible);
}

const MOST_ASKERS = 50;

function visibleOf(chunk: IssueChunk, maySee: (issue: Issue) => boolean): IssueChunk {
  const visible = chunk.filter(maySee);
  return visible.length === chunk.length ? chunk : visible;
}

/** A handful of askers ask at the same time; the oldest answers are forgotten first. */
function keep(known: Seen, key: string | BrowsePermissions, visible: readonly Issue[]): readonly Issue[] {
  if (known.size >= MOST_ASKERS) known.delete(known.keys().next().value ?? '');
  known.set(key, visible);
  return visible;
}

function keyOfRules({ user }: Asker, { access, groups }: Rights): string {
  const own = groups.filter((group) => group.members.includes(user)).map((group) => group.id);
  return JSON.stringify([user, own, access]);
}

/** What an asker may know to exist beside the issues. */
interface Vocabulary {
  readonly statuses: ReadonlyMap<string, Status>;
  readonly sprints: readonly Sprint[];
  readonly fields: readonly FieldName[];
  readonly users: ReadonlyMap<string, User>;
}

/** What there is. */
interface Everything extends Pick<Vocabulary, 'statuses' | 'users'> {
  readonly directory: AskersDirectory;
}

/**
 * Statuses, sprints, fields and people as far as the asker may see what they are of. Nobody learns of a status of a
 * closed project; of what only issues mention, such as a status that stands in no list, an asker to whom some issues are closed, or may be, learns
 * only what the others mention.
 */
export function askerVocabulary(
  asker: Asker,
  { statuses, users, directory }: Everything,
  { visible, some }: { readonly visible: readonly Issue[]; readonly some: boolean },
): Vocabulary {
  const { sprints, fields } = directory;
  if (asker.admin) return { statuses, sprints, fields, users };
  const isClosed = closedProjects(asker, directory);
  const open = [...statuses].filter(([, { scope }]) => scope === undefined || !isClosed?.(scope));
  // A project nobody here knows an issue of may be closed by the tracker itself, never by a rule.
  if (!some && directory.sight === null) return { statuses: new Map(open), sprints, fields, users };
  const met = metIn(visible);
  return {
    statuses: new Map(open.filter(([id, { listed }]) => listed || met.statuses.has(id))),
    sprints: sprints.filter(({ id, name }) => met.values.has(identity({ id, name }))),
    fields: fields.filter(({ id }) => met.fields.has(id)),
    users: new Map([...users].filter(([id]) => id === asker.user || met.people.has(id))),
  };
}

/** The ids of everybody these issues mention. */
export function peopleIn(issues: readonly Issue[]): ReadonlySet<string> {
  return metIn(issues).people;
}

interface Met {
  readonly statuses: ReadonlySet<string>;
  /** Values in lists, of whatever field: sprints are kept in one of the site's own. */
  readonly values: ReadonlySet<string>;
  readonly fields: ReadonlySet<string>;
  readonly people: ReadonlySet<string>;
}

const metIn = rememberByChunk(meet, joinMet);

function meet(issues: readonly Issue[]): Met {
  const statuses = new Set<string>();
  const values = new Set<string>();
  const named = new Set<string>();
  const people = new Set<string>();
  for (const { status, fields, changes } of issues) {
    statuses.add(status.id);
    for (const id in fields) {
      named.add(id);
      for (const value of listOf(fields[id])) values.add(identity(value));
    }
    for (const id of peopleFields) {
      const person = fields[id];
      if (isValue(person)) people.add(person.id);
    }
    for (const { field, from, to, by } of changes) {
      named.add(field);
      if (by !== null) people.add(by);
      const into = field === 'status' ? statuses : peopleFields.includes(field) ? people : null;
      for (const value of [from, to]) if (value !== null) into?.add(value.id);
    }
  }
  return { statuses, values, fields: named, people };
}

function joinMet(parts: readonly Met[]): Met {
  const [only, ...others] = parts;
  if (only !== undefined && others.length === 0) return only;
  const joined = (of: (part: Met) => ReadonlySet<string>) => {
    const all = new Set<string>();
    for (const part of parts) for (const one of of(part)) all.add(one);
    return all;
  };
  return {
    statuses: joined((part) => part.statuses),
    values: joined((part) => part.values),
    fields: joined((part) => part.fields),
    people: joined((part) => part.people),
  };
}

const peopleFields: readonly string[] = ['assignee', 'reporter', 'creator'];

function isValue(content: FieldContent | undefined): content is FieldValue {
  return content !== null && typeof content === 'object' && 'id' in content;
}

function listOf(content: FieldContent | undefined): readonly FieldValue[] {
  return content !== null && typeof content === 'object' && 'length' in content ? content : [];
}

/** Ids are unique within a field only. */
function identity({ id, name }: FieldValue): string {
  return `${id}\n${name}`;
}

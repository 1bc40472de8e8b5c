import type { Group } from '../../model/directory.ts';
import { type JiraItem, jiraStatus } from '../jira-json/jira-schema.ts';
import { isRecord } from '../jira-json/json-members.ts';
import { readBeside, readNames } from '../jira-json/read-beside.ts';
import { type ReadIssue, readIssue, readShortIssue } from '../jira-json/read-issue.ts';
import { jiraPerson, readPerson, readStatus } from '../jira-json/read-references.ts';
import { nulProblem } from '../jira-json/unusable-reason.ts';
import { type JiraAuthor, type KnownParts, wellFormedItem } from '../jira-json/well-formed-issue.ts';
import type { TrackerEntry } from '../tracker.ts';
import { foreignAnswer, unknownAnswer } from './foreign-content.ts';
import type { JsonElement } from './json-elements.ts';

/** An entry of a file; a group is complete only when all files have been read. */
export type FileEntry = TrackerEntry | { readonly kind: 'group'; readonly group: Group };

/** The source of elements, with the facts of earlier ones. */
interface ElementSource {
  readonly file: string;
  readonly standIns: StandIns;
}

/** The character NUL, which JSON cannot have in any other way. */
const NUL = '\\u0000';

/** The entries of one element of a file; an unusable one is a rejected entry. */
export function readElement(element: JsonElement, source: ElementSource): FileEntry[] {
  const { bytes, offset, role } = element;
  const place = `the entry at byte ${offset}`;
  const hasNul = bytes.includes(NUL);
  const short = hasNul ? undefined : parsedShort(element);
  const entries = short === undefined ? null : shortEntries(short, element, source);
  if (entries !== null) return entries;
  try {
    const raw: unknown = JSON.parse(bytes.toString('utf8'));
    const from = { place, role, source: source.file, hasNul };
    return role === 'names' ? withoutNul(namesEntries(raw), raw, from) : readEntry(raw, from);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const reason = `${place} is broken JSON: ${error.message}`;
    return [{ kind: 'rejected', source: source.file, key: null, reason }];
  }
}

/** The element with stand-ins; undefined where there are none, and for broken JSON. */
function parsedShort(element: JsonElement): unknown {
  const bytes = element.shortBytes();
  if (bytes === null) return undefined;
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** An issue or a page of them, of which known objects need not be read again; null for what is neither. */
function shortEntries(
  short: unknown,
  { bytes, offset, role }: JsonElement,
  { file, standIns }: ElementSource,
): FileEntry[] | null {
  const page = pageOf(short);
  if (page === null) {
    const read = shortIssue(short, standIns);
    return read === null ? null : [...(role === 'whole' ? namesIn(short) : []), ...issueEntries(read)];
  }
  let whole: readonly unknown[] | null = null;
  const entries = page.flatMap((one, i) => {
    const read = shortIssue(one, standIns);
    if (read !== null) return issueEntries(read);
    whole ??= pageOf(JSON.parse(bytes.toString('utf8'))) ?? [];
    const place = `the entry at byte ${offset}`;
    return readEntry(whole[i], { place, role, source: file, hasNul: false });
  });
  return [...namesIn(short), ...entries];
}

/** Null for what has to be read in all its words. */
function shortIssue(raw: unknown, standIns: StandIns): UsableIssue | null {
  if (pageOf(raw) !== null) return null;
  standIns.restore(raw);
  const read = readShortIssue(raw, standIns);
  return read === null || 'reason' in read ? null : read;
}

/** The position of an entry, for messages about it. */
interface Place {
  readonly place: string;
  readonly role: JsonElement['role'];
  readonly source: string;
  /** True where a text of the element may have the character NUL. */
  readonly hasNul: boolean;
}

function readEntry(raw: unknown, from: Place): FileEntry[] {
  const page = pageOf(raw);
  if (page === null) return withoutNul(readOne(raw, from), raw, from);
  return [...withoutNul(namesIn(raw), raw, from), ...page.flatMap((one) => readEntry(one, from))];
}

/** The entries of one thing, or that it is rejected, since a text of it has the character NUL. */
function withoutNul(entries: FileEntry[], raw: unknown, { place, source, hasNul }: Place): FileEntry[] {
  const why = hasNul ? nulProblem(entries, raw) : null;
  if (why === null) return entries;
  const key = entries.find((entry) => entry.kind === 'issue')?.issue.key ?? null;
  return [{ kind: 'rejected', source, key, reason: key === null ? `${place}: ${why}` : why }];
}

function readOne(raw: unknown, { place, role, source }: Place): FileEntry[] {
  const beside = besideEntries(raw);
  if (beside !== null) return beside;
  const other = isIssue(raw) ? null : readOther(raw, { role, source });
  if (other !== null) return [other];
  const read = readIssue(raw);
  if ('reason' in read) {
    const reason = read.key === null ? `${place} is not an issue: ${read.reason}` : read.reason;
    return [{ kind: 'rejected', source, key: read.key, reason }];
  }
  return [...(role === 'whole' ? namesIn(raw) : []), ...issueEntries(read)];
}

/** A status, or what is known to be no issue; null for what may have been meant as one. */
function readOther(raw: unknown, { role, source }: Pick<Place, 'role' | 'source'>): FileEntry | null {
  const status = jiraStatus.safeParse(raw);
  // One status by itself is no list of all there are.
  if (status.success)
    return { kind: 'statuses', statuses: [readStatus(status.data)], list: role === 'listed' ? source : null };
  const foreign = raw === null || typeof raw !== 'object' ? null : foreignAnswer(raw);
  const reason = foreign ?? (role === 'whole' ? unknownAnswer : null);
  return reason === null ? null : { kind: 'unreadable', source, reason };
}

type UsableIssue = Exclude<ReadIssue, { readonly reason: string }>;

function issueEntries(read: UsableIssue): FileEntry[] {
  const { issue, statuses, users, mentioned, sprintFields } = read;
  return [
    { kind: 'statuses', statuses, list: null },
    { kind: 'users', users },
    ...(mentioned === null ? [] : [{ kind: 'directory', part: mentioned } as const]),
    ...sprintFields.map((id) => ({ kind: 'guess', field: { id, name: 'Sprint' } }) as const),
    { kind: 'issue', issue },
  ];
}

/** The titles of fields that came with an answer. */
function namesIn(answer: unknown): FileEntry[] {
  return answer === null || typeof answer !== 'object' ? [] : namesEntries(Reflect.get(answer, 'names'));
}

function namesEntries(raw: unknown): FileEntry[] {
  const fields = readNames(raw);
  return fields.length === 0 ? [] : [{ kind: 'directory', part: { fields } }];
}

function besideEntries(raw: unknown): FileEntry[] | null {
  const beside = readBeside(raw);
  if (beside === null) return null;
  const { part, users, groups, memberships } = beside;
  return [
    ...(users.length === 0 ? [] : [{ kind: 'users', users } as const]),
    ...(Object.keys(part).length === 0 ? [] : [{ kind: 'directory', part } as const]),
    ...groups.map((group) => ({ kind: 'group', group }) as const),
    ...memberships.map((membership) => ({ kind: 'membership', membership }) as const),
  ];
}

/** The list of an answer among several, as `jq --slurp` makes them one. */
function pageOf(raw: unknown): readonly unknown[] | null {
  if (raw === null || typeof raw !== 'object') return null;
  for (const member of ['issues', 'values']) {
    const list: unknown = Reflect.get(raw, member);
    if (Array.isArray(list)) return list;
  }
  return null;
}

function isIssue(raw: unknown): boolean {
  return raw !== null && typeof raw === 'object' && ('fields' in raw || 'key' in raw);
}

/** The only member of a stand-in: the index of what it stands for. */
const INDEX = '';

/** The objects behind stand-ins in shortened texts; each is parsed and read once. */
export interface StandIns extends KnownParts {
  /** Adds objects as JSON, in the order of their places. */
  learn(texts: readonly string[]): void;
  /** Puts the objects back into the fields of a parsed issue; what a changelog has is looked up when it is read. */
  restore(issue: unknown): void;
}

export function createStandIns(): StandIns {
  /** JSON until the first use: half of the objects never occur again. */
  const texts: (string | null)[] = [];
  const raws: unknown[] = [];
  const authors: (JiraAuthor | undefined)[] = [];
  const items: (JiraItem | null | undefined)[] = [];
  const rawAt = (index: number): unknown => {
    const text = texts[index];
    if (typeof text === 'string') {
      raws[index] = JSON.parse(text);
      texts[index] = null;
    }
    return raws[index];
  };
  const restored = (raw: unknown): unknown => {
    const index = indexOf(raw);
    return index === null ? raw : rawAt(index);
  };

  return {
    learn(added) {
      for (const text of added) {
        texts.push(text);
        raws.push(undefined);
      }
    },
    restore(issue) {
      const fields = isRecord(issue) ? issue.fields : null;
      if (!isRecord(fields)) return;
      for (const id of Object.keys(fields)) {
        const raw = fields[id];
        if (raw === null || typeof raw !== 'object') continue;
        if (Array.isArray(raw)) for (let i = 0; i < raw.length; i += 1) raw[i] = restored(raw[i]);
        else if (indexOf(raw) !== null) Reflect.set(fields, id, restored(raw));
      }
    },
    authorOf(raw) {
      const index = indexOf(raw);
      if (index === null) return null;
      const known = authors[index];
      if (known !== undefined) return known;
      const author = jiraPerson.catch(null).parse(rawAt(index));
      authors[index] = { author, by: readPerson(author) };
      return authors[index];
    },
    itemOf(raw) {
      const index = indexOf(raw);
      if (index === null) return null;
      const known = items[index];
      if (known !== undefined) return known;
      items[index] = wellFormedItem(rawAt(index));
      return items[index];
    },
  };
}

function indexOf(raw: unknown): number | null {
  if (!isRecord(raw)) return null;
  const index = raw[INDEX];
  return typeof index === 'number' && Object.keys(raw).length === 1 ? index : null;
}

import { type FieldContent, type FieldValue, UNSUPPORTED } from '../../model/issue.ts';
import { cascadingOption } from '../../model/issues/value-sets.ts';
import { isNothing, isRecord } from './json-members.ts';
import { readSprint } from './read-references.ts';

type Raw = Readonly<Record<string, unknown>>;

/** The depth to which Jira nests; deeper content is not supported. */
const MAX_DEPTH = 64;

/**
 * The content of a field of Jira: values, plain texts and numbers. For things that Jira counts (votes, watchers,
 * comments, work logs) it is the number. Content of no known form is not supported, which is not the same as empty.
 */
export function readContent(raw: unknown, depth = 0): FieldContent {
  if (depth > MAX_DEPTH) return UNSUPPORTED;
  if (raw === null || typeof raw === 'string' || typeof raw === 'number') return raw;
  if (typeof raw === 'boolean') return String(raw);
  if (Array.isArray(raw)) return readList(raw);
  if (!isRecord(raw)) return null;
  // Most objects are values with a name; a service level agreement has one as well.
  const named = isServiceLevel(raw) ? null : readNamed(raw);
  if (named !== null) return named;
  for (const read of readers) {
    const content = read(raw, depth);
    if (content !== undefined) return content;
  }
  return readOne(raw) ?? (Object.values(raw).every(isNothing) ? null : UNSUPPORTED);
}

function readList(raw: readonly unknown[]): FieldContent {
  const values: FieldValue[] = [];
  for (const one of raw) {
    if (isNothing(one)) continue;
    const value = readOne(one);
    if (value === null || value === UNSUPPORTED) return UNSUPPORTED;
    values.push(value);
  }
  return values;
}

/** Reads an object that is no value by itself; undefined where it is another. */
type Reader = (raw: Raw, depth: number) => FieldContent | undefined;

const readers: readonly Reader[] = [
  (raw) => documentText(raw) ?? undefined,
  ({ votes }) => numberOf(votes),
  ({ watchCount }) => numberOf(watchCount),
  // Satisfaction of a customer.
  ({ rating }) => numberOf(rating),
  ({ comments, total }) => countOf(comments, total),
  ({ worklogs, total }) => countOf(worklogs, total),
  readProgress,
  readTimeTracking,
  readServiceLevel,
  // The type of a customer's request.
  ({ requestType }, depth) => (requestType === undefined ? undefined : readContent(requestType, depth + 1)),
  // The parent link of plans, which says beside it whether it may be edited.
  ({ showField, data }, depth) =>
    showField === undefined ? undefined : readContent(data ?? null, depth + 1),
];

function numberOf(raw: unknown): number | undefined {
  return typeof raw === 'number' ? raw : undefined;
}

function countOf(list: unknown, total: unknown): number | undefined {
  if (!Array.isArray(list)) return undefined;
  return typeof total === 'number' ? total : list.length;
}

/** In percent of what is planned; empty where nothing is. */
function readProgress({ progress, total }: Raw): FieldContent | undefined {
  if (typeof progress !== 'number' || typeof total !== 'number') return undefined;
  return total > 0 ? Math.round((100 * progress) / total) : null;
}

const times = [
  ['originalEstimate', 'estimated'],
  ['remainingEstimate', 'remaining'],
  ['timeSpent', 'logged'],
] as const;

/** As Jira shows it, such as "1d estimated, 4h logged". */
function readTimeTracking(raw: Raw): string | undefined {
  const parts = times.flatMap(([member, title]) => {
    const text = raw[member];
    return typeof text === 'string' ? [`${text} ${title}`] : [];
  });
  return parts.length === 0 ? undefined : parts.join(', ');
}

function isServiceLevel({ ongoingCycle, completedCycles }: Raw): boolean {
  return isRecord(ongoingCycle) || Array.isArray(completedCycles);
}

/** The state of a service level agreement; empty where it has not begun. */
function readServiceLevel(raw: Raw): FieldContent | undefined {
  if (!isServiceLevel(raw)) return undefined;
  const { ongoingCycle, completedCycles } = raw;
  if (isRecord(ongoingCycle)) {
    const { breached, paused } = ongoingCycle;
    return state(breached === true ? 'Breached' : paused === true ? 'Paused' : 'Running');
  }
  const last: unknown = Array.isArray(completedCycles) ? completedCycles.at(-1) : null;
  return isRecord(last) ? state(last.breached === true ? 'Breached' : 'Met') : null;
}

function state(name: string): FieldValue {
  return { id: name.toLowerCase(), name };
}

/**
 * Statuses, people, options, sprints, versions, links, attachments, assets and the like: each names itself under another
 * member. Null where nothing names it.
 */
function readOne(raw: unknown, depth = 0): FieldValue | null {
  if (depth > MAX_DEPTH) return UNSUPPORTED;
  if (typeof raw === 'string') {
    const sprint = readSprint(raw);
    return sprint === null ? { id: raw, name: raw } : { id: sprint.id, name: sprint.name };
  }
  if (typeof raw === 'number' || typeof raw === 'boolean') return { id: String(raw), name: String(raw) };
  if (!isRecord(raw)) return null;
  return readNamed(raw, depth) ?? readLink(raw) ?? readNameless(raw);
}

function readNamed(raw: Raw, depth = 0): FieldValue | null {
  const displayName = wordOf(raw.displayName);
  const ownName = wordOf(raw.name);
  const key = wordOf(raw.key);
  const name = displayName ?? ownName ?? wordOf(raw.value) ?? key;
  if (name === null) return null;
  const id =
    wordOf(raw.accountId) ?? (displayName === null ? wordOf(raw.id) : (key ?? ownName)) ?? key ?? name;
  const child = isRecord(raw.child) ? readOne(raw.child, depth + 1) : null;
  if (child === null) return { id, name };
  return child === UNSUPPORTED ? UNSUPPORTED : cascadingOption({ id, name }, child);
}

/** A link to another issue, known by what it says. */
function readLink({ type, outwardIssue, inwardIssue }: Raw): FieldValue | null {
  if (!isRecord(type)) return null;
  const [issue, words] = isRecord(outwardIssue) ? [outwardIssue, type.outward] : [inwardIssue, type.inward];
  const key = isRecord(issue) ? wordOf(issue.key) : null;
  if (key === null) return null;
  const text = `${wordOf(words) ?? wordOf(type.name) ?? 'links to'} ${key}`;
  return { id: text, name: text };
}

/** Members that name what has no name, such as attachments and assets. */
const others = ['filename', 'label', 'title', 'objectKey', 'objectId', 'id'] as const;

function readNameless(raw: Raw): FieldValue | null {
  const [name] = others.flatMap((member) => wordOf(raw[member]) ?? []);
  return name === undefined ? null : { id: wordOf(raw.id) ?? name, name };
}

/** A text or a number, as text. */
function wordOf(raw: unknown): string | null {
  return typeof raw === 'string' ? raw : typeof raw === 'number' ? String(raw) : null;
}

/** The depth to which Jira nests; deeper content is garbage. */
const MAX_TEXT_DEPTH = 64;

/** A piece of a document: a block stands on lines of its own, the rest runs on within a line. */
interface Piece {
  readonly text: string;
  readonly block: boolean;
}

/** The text of rich text (Atlassian Document Format), blocks on lines of their own; null when it is none. */
function documentText(raw: unknown): string | null {
  if (raw === null || typeof raw !== 'object') return null;
  if (Reflect.get(raw, 'type') !== 'doc' || !Array.isArray(Reflect.get(raw, 'content'))) return null;
  return read(raw, 0)?.text ?? null;
}

function read(node: unknown, depth: number): Piece | null {
  if (node === null || typeof node !== 'object' || depth > MAX_TEXT_DEPTH) return null;
  if (Reflect.get(node, 'type') === 'hardBreak') return { text: '\n', block: false };
  const content: unknown = Reflect.get(node, 'content');
  if (Array.isArray(content)) {
    return { text: join(content.flatMap((one: unknown) => read(one, depth + 1) ?? [])), block: true };
  }
  const text = ownText(node);
  return text === null ? null : { text, block: false };
}

/** A text names itself; a mention or an emoji does so among its attributes. */
function ownText(node: object): string | null {
  const text: unknown = Reflect.get(node, 'text');
  if (typeof text === 'string') return text;
  const attributes: unknown = Reflect.get(node, 'attrs');
  if (attributes === null || typeof attributes !== 'object') return null;
  const named: unknown = Reflect.get(attributes, 'text');
  return typeof named === 'string' ? named : null;
}

function join(pieces: readonly Piece[]): string {
  return pieces
    .filter(({ text }) => text !== '')
    .map(({ text, block }, i, all) => (i > 0 && (block || all[i - 1]?.block) ? `\n${text}` : text))
    .join('');
}

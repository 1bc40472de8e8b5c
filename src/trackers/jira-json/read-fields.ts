import type { Sprint } from '../../model/directory.ts';
import { type FieldContent, type FieldValue, RESTRICTION } from '../../model/issue.ts';
import { isRecord } from './json-members.ts';
import { parseInstant } from './parse-instant.ts';
import { readSprint } from './read-sprint.ts';
import type { CheckedIssue } from './well-formed-issue.ts';

/** What the fields of an issue hold. */
interface ReadFields {
  readonly contents: Record<string, FieldContent>;
  /** By field, whatever it is called; fields without sprints are left out. */
  readonly sprints: ReadonlyMap<string, readonly Sprint[]>;
}

/** The fields that are read before all others, in this order. */
const knownFields = [
  'summary',
  'created',
  'updated',
  'resolutiondate',
  'status',
  'project',
  'assignee',
  'reporter',
] as const;
const areKnown: ReadonlySet<string> = new Set(knownFields);

/** Jira's `fields` as our contents; what is no value, list of values, text nor number is empty, yet known. */
export function readFields({ fields, known }: Pick<CheckedIssue, 'fields' | 'known'>): ReadFields {
  const contents: Record<string, FieldContent> = {};
  const sprints = new Map<string, readonly Sprint[]>();
  for (const id of knownFields) {
    if (Object.hasOwn(fields, id)) contents[id] = readField(id, known[id] ?? null, sprints);
  }
  for (const id of Object.keys(fields)) {
    if (areKnown.has(id)) continue;
    const content = readField(id, fields[id], sprints);
    // Nobody else's prototype is set by a field of this name.
    if (id === '__proto__') Object.defineProperty(contents, id, { ...plain, value: content });
    else contents[id] = content;
  }
  return { contents, sprints };
}

const plain = { writable: true, enumerable: true, configurable: true };

function readField(id: string, raw: unknown, sprints: Map<string, readonly Sprint[]>): FieldContent {
  if (raw === null) return id === RESTRICTION ? readRoles(raw) : null;
  const told = Array.isArray(raw) ? sprintsOf(raw) : id === 'sprint' ? sprintsOf([raw]) : [];
  if (told.length > 0) sprints.set(id, told);
  if (id === RESTRICTION) return readRoles(raw);
  return id === 'created' || id === 'updated' || id === 'resolutiondate'
    ? parseInstant(raw)
    : readContent(raw);
}

const none: readonly Sprint[] = [];

function sprintsOf(told: readonly unknown[]): readonly Sprint[] {
  return told.length === 0 ? none : told.flatMap((one) => readSprint(one) ?? none);
}

function readContent(raw: unknown): FieldContent {
  if (raw === null || typeof raw === 'string' || typeof raw === 'number') return raw;
  if (typeof raw === 'boolean') return String(raw);
  if (Array.isArray(raw)) return raw.flatMap((one: unknown) => readOne(one) ?? []);
  return documentText(raw) ?? readOne(raw);
}

/** Statuses, people, options, sprints and versions: each names itself under another member. */
function readOne(raw: unknown): FieldValue | null {
  if (typeof raw === 'string') {
    const sprint = readSprint(raw);
    return sprint === null ? { id: raw, name: raw } : { id: sprint.id, name: sprint.name };
  }
  if (typeof raw === 'number') return { id: String(raw), name: String(raw) };
  if (!isRecord(raw)) return null;
  const displayName = wordOf(raw.displayName);
  const ownName = wordOf(raw.name);
  const key = wordOf(raw.key);
  const name = displayName ?? ownName ?? wordOf(raw.value) ?? key;
  if (name === null) return null;
  const id =
    wordOf(raw.accountId) ?? (displayName === null ? wordOf(raw.id) : (key ?? ownName)) ?? key ?? name;
  return { id, name };
}

/** A text or a number, as text. */
function wordOf(raw: unknown): string | null {
  return typeof raw === 'string' ? raw : typeof raw === 'number' ? String(raw) : null;
}

/** Where Jira nests no further; what lies deeper is garbage. */
const DEEPEST = 64;

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
  if (node === null || typeof node !== 'object' || depth > DEEPEST) return null;
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

/** Whether Jira shows the padlock: it says nothing of who sees the issue. */
const SHOWS = 'shouldDisplay';

/**
 * Whom an issue of a team-managed project is restricted to, from Jira's `issuerestriction`; none: nothing restricts it.
 * What is spelled in a way nobody knows restricts it too, for it is not empty.
 */
function readRoles(raw: unknown): readonly FieldValue[] {
  if (raw === null || typeof raw !== 'object' || Array.isArray(raw)) return named('restriction', raw);
  const { issuerestrictions, ...others } = { issuerestrictions: null, ...raw };
  return [
    ...(isRecord(issuerestrictions)
      ? Object.entries(issuerestrictions).flatMap(([kind, content]) => named(kind, content))
      : named('restriction', issuerestrictions)),
    ...Object.entries(others).flatMap(([name, content]) => (name === SHOWS ? [] : named(name, content))),
  ];
}

/** The same for the same content, so that a change of it is noticed. */
function named(kind: string, content: unknown): FieldValue[] {
  if (isEmpty(content)) return [];
  return (Array.isArray(content) ? content : [content]).map((one: unknown) => {
    const id: unknown = isRecord(one) ? Reflect.get(one, 'id') : one;
    const text = typeof id === 'string' || typeof id === 'number' ? String(id) : JSON.stringify(one);
    return { id: `${kind} ${text}`, name: `${kind} ${text}` };
  });
}

function isEmpty(content: unknown): boolean {
  if (content === null || content === undefined || content === '') return true;
  if (Array.isArray(content)) return content.length === 0;
  return typeof content === 'object' && Object.values(content).every(isEmpty);
}

import type { Sprint } from '../../model/directory.ts';
import { type FieldContent, type FieldValue, RESTRICTION } from '../../model/issue.ts';
import { documentText } from './document-text.ts';
import { isRecord } from './json-members.ts';
import { parseInstant } from './parse-instant.ts';
import { readRoles } from './read-roles.ts';
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

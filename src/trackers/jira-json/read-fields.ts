import type { Sprint } from '../../model/directory.ts';
import { type FieldContent, type FieldValue, RESTRICTION } from '../../model/issue.ts';
import { isRecord } from './json-members.ts';
import { parseInstant } from './parse-instant.ts';
import { readContent } from './read-content.ts';
import { readSprint } from './read-references.ts';
import type { CheckedIssue } from './well-formed-issue.ts';

/** The contents of an issue's fields. */
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

/** Jira's `fields` as our contents. */
export function readFields({ fields, known }: Pick<CheckedIssue, 'fields' | 'known'>): ReadFields {
  const contents: Record<string, FieldContent> = {};
  const sprints = new Map<string, readonly Sprint[]>();
  for (const id of knownFields) {
    if (Object.hasOwn(fields, id)) contents[id] = readField(id, known[id] ?? null, sprints);
  }
  for (const id of Object.keys(fields)) {
    if (areKnown.has(id)) continue;
    const content = readField(id, fields[id], sprints);
    // A field of this name sets no prototype.
    if (id === '__proto__') Object.defineProperty(contents, id, { ...plain, value: content });
    else contents[id] = content;
  }
  return { contents, sprints };
}

const plain = { writable: true, enumerable: true, configurable: true };

function readField(id: string, raw: unknown, sprints: Map<string, readonly Sprint[]>): FieldContent {
  if (raw === null) return id === RESTRICTION ? readRoles(raw) : null;
  const found = Array.isArray(raw) ? sprintsOf(raw) : id === 'sprint' ? sprintsOf([raw]) : [];
  if (found.length > 0) sprints.set(id, found);
  if (id === RESTRICTION) return readRoles(raw);
  return id === 'created' || id === 'updated' || id === 'resolutiondate'
    ? parseInstant(raw)
    : readContent(raw);
}

const none: readonly Sprint[] = [];

function sprintsOf(raw: readonly unknown[]): readonly Sprint[] {
  return raw.length === 0 ? none : raw.flatMap((one) => readSprint(one) ?? none);
}

/** The member that shows the padlock; it does not say who sees the issue. */
const SHOWS = 'shouldDisplay';

/**
 * The roles that an issue of a team-managed project is restricted to, from Jira's `issuerestriction`; none: it is not
 * restricted. An unknown form restricts it too, for it is not empty.
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

import { type FieldContent, type FieldValue, RESTRICTION } from '../../model/issue.ts';
import { documentText } from './document-text.ts';
import { parseInstant } from './parse-instant.ts';
import { readRoles } from './read-roles.ts';
import { readSprint } from './read-sprint.ts';

const instantFields: readonly string[] = ['created', 'updated', 'resolutiondate'];

/** Jira's `fields` as our contents; what is no value, list of values, text nor number is empty, yet known. */
export function readFields(fields: Readonly<Record<string, unknown>>): Record<string, FieldContent> {
  return Object.fromEntries(Object.entries(fields).map(([id, raw]) => [id, readField(id, raw)]));
}

function readField(id: string, raw: unknown): FieldContent {
  if (id === RESTRICTION) return readRoles(raw);
  return instantFields.includes(id) ? parseInstant(raw) : readContent(raw);
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
  if (raw === null || typeof raw !== 'object') return null;
  const name = text(raw, 'displayName') ?? text(raw, 'name') ?? text(raw, 'value') ?? text(raw, 'key');
  const id =
    text(raw, 'accountId') ??
    (text(raw, 'displayName') === null ? text(raw, 'id') : (text(raw, 'key') ?? text(raw, 'name'))) ??
    text(raw, 'key') ??
    name;
  return name === null || id === null ? null : { id, name };
}

function text(raw: object, member: string): string | null {
  const value: unknown = Reflect.get(raw, member);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}

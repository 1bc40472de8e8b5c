import type { FieldContent, FieldValue } from '../../model/issue.ts';
import { parseInstant } from './parse-instant.ts';

const instantFields: readonly string[] = ['created', 'updated', 'resolutiondate'];

/** Jira's `fields` as our contents; what is neither a value, a list of values, a text nor a number is left out. */
export function readFields(fields: Readonly<Record<string, unknown>>): Record<string, FieldContent> {
  const contents = Object.entries(fields).flatMap(([id, raw]): [string, FieldContent][] => {
    const content = instantFields.includes(id) ? parseInstant(raw) : readContent(raw);
    return content === undefined ? [] : [[id, content]];
  });
  return Object.fromEntries(contents);
}

function readContent(raw: unknown): FieldContent | undefined {
  if (raw === null || typeof raw === 'string' || typeof raw === 'number') return raw;
  if (typeof raw === 'boolean') return String(raw);
  if (Array.isArray(raw)) return raw.flatMap((one: unknown) => readOne(one) ?? []);
  return readOne(raw) ?? undefined;
}

/** Statuses, people, options, sprints and versions: each names itself under another member. */
function readOne(raw: unknown): FieldValue | null {
  if (typeof raw === 'string' || typeof raw === 'number') return { id: String(raw), name: String(raw) };
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

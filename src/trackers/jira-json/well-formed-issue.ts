import type { User } from '../../model/issue.ts';
import { withEnds } from './item-ends.ts';
import type { JiraChangelog, JiraHistory, JiraIssue, JiraItem } from './jira-schema.ts';
import { idOf, isNothing, isRecord, type Odd, odd, textOf } from './json-members.ts';
import { parseInstant } from './parse-instant.ts';
import { type JiraPerson, readPerson } from './read-references.ts';

/** The author of an entry of a changelog, and as whom they are kept. */
export interface JiraAuthor {
  readonly author: JiraPerson;
  readonly by: User | null;
}

/** Parts of a changelog that stand-ins represent, each returned as the very same object. */
export interface KnownParts {
  /** Null for what stands for no author. */
  authorOf(raw: unknown): JiraAuthor | null;
  /** Null for what stands for no item, and for one that the schema has to look at. */
  itemOf(raw: unknown): JiraItem | null;
}

const nothingKnown: KnownParts = { authorOf: () => null, itemOf: () => null };

/** An issue whose members are what they should be. */
export interface CheckedIssue {
  readonly key: string;
  readonly self: string | null | undefined;
  /** The fields that are read as they are; only those in `fields` were sent. */
  readonly known: KnownFields;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly changelog: JiraChangelog | null | undefined;
}

type KnownFields = Pick<
  JiraIssue['fields'],
  'summary' | 'created' | 'updated' | 'resolutiondate' | 'status' | 'project' | 'assignee' | 'reporter'
>;

type Raw = Readonly<Record<string, unknown>>;

const aKey = /^[A-Z][A-Z0-9_]*-\d+$/i;

/**
 * The result of the schema for issues as Jira writes them; null for any other, which the schema itself has to check.
 */
export function wellFormedIssue(raw: unknown, parts: KnownParts = nothingKnown): CheckedIssue | null {
  if (!isRecord(raw)) return null;
  const { key, id, self, fields } = raw;
  if (typeof key !== 'string' || !aKey.test(key) || idOf(id) === odd || !isRecord(fields)) return null;
  if (Object.hasOwn(fields, '__proto__')) return null;
  const known = readKnown(fields);
  const changelog = isNothing(raw.changelog) ? raw.changelog : readChangelog(raw.changelog, parts);
  if (known === odd || changelog === odd) return null;
  return { key, self: textOf(self), known, fields, changelog };
}

function readKnown(fields: Raw): KnownFields | Odd {
  const { created, updated, resolutiondate } = fields;
  const status = readStatus(fields.status);
  const project = readProject(fields.project);
  if (status === odd || project === odd || !isInstant(created)) return odd;
  if (!(isNothing(updated) || isInstant(updated))) return odd;
  if (!(isNothing(resolutiondate) || isInstant(resolutiondate))) return odd;
  return {
    summary: textOf(fields.summary),
    created,
    updated,
    resolutiondate,
    status,
    project,
    assignee: personOf(fields.assignee),
    reporter: personOf(fields.reporter),
  };
}

function readStatus(raw: unknown): KnownFields['status'] | Odd {
  if (!isRecord(raw)) return odd;
  const { name, statusCategory: category, scope } = raw;
  const id = idOf(raw.id);
  // Statuses of team-managed projects have a scope; they are few.
  if (typeof name !== 'string' || id === odd || !isNothing(scope)) return odd;
  if (isNothing(category)) return { id, name, statusCategory: category, scope };
  if (!isRecord(category)) return odd;
  return { id, name, statusCategory: { key: textOf(category.key), name: textOf(category.name) }, scope };
}

function readProject(raw: unknown): KnownFields['project'] | Odd {
  if (isNothing(raw)) return raw;
  const id = isRecord(raw) ? idOf(raw.id) : odd;
  return !isRecord(raw) || id === odd ? odd : { id, key: textOf(raw.key), name: textOf(raw.name) };
}

function readChangelog(raw: unknown, parts: KnownParts): JiraChangelog | Odd {
  if (!isRecord(raw)) return odd;
  const { startAt, maxResults, total, histories: told } = raw;
  if (!isCount(startAt) || !isCount(maxResults) || !isCount(total) || !Array.isArray(told)) return odd;
  const histories: JiraHistory[] = [];
  for (const one of told) {
    const entry = readHistory(one, parts);
    if (entry === odd) return odd;
    histories.push(entry);
  }
  return { startAt, maxResults, total, histories };
}

function readHistory(raw: unknown, parts: KnownParts): JiraHistory | Odd {
  if (!isRecord(raw) || !Array.isArray(raw.items)) return odd;
  const { created } = raw;
  const id = idOf(raw.id);
  const { author, by } = parts.authorOf(raw.author) ?? readAuthor(raw.author);
  if (id === odd || !isInstant(created)) return odd;
  const items: JiraItem[] = [];
  for (const one of raw.items) {
    const item = parts.itemOf(one) ?? wellFormedItem(one);
    if (item === null) return odd;
    items.push(item);
  }
  return { id, author, created, by, at: parseInstant(created), items, unread: 0 };
}

function readAuthor(raw: unknown): JiraAuthor {
  const author = personOf(raw);
  return { author, by: readPerson(author) };
}

/** The same of an item of a changelog entry. */
export function wellFormedItem(raw: unknown): JiraItem | null {
  if (!isRecord(raw)) return null;
  const field = raw.field ?? raw.fieldId;
  const from = idOf(raw.from);
  const to = idOf(raw.to);
  if (typeof field !== 'string' || from === odd || to === odd) return null;
  // Read by own property only: when the key is absent, every object still has a function of that name.
  const toText = Object.hasOwn(raw, 'toString') ? textOf(raw.toString) : null;
  return withEnds({
    field,
    fieldtype: textOf(raw.fieldtype),
    fieldId: textOf(raw.fieldId),
    from,
    fromString: textOf(raw.fromString),
    to,
    toText,
  });
}

function personOf(raw: unknown): JiraPerson {
  if (isNothing(raw)) return raw;
  if (!isRecord(raw)) return null;
  return {
    accountId: textOf(raw.accountId),
    key: textOf(raw.key),
    name: textOf(raw.name),
    displayName: textOf(raw.displayName),
    emailAddress: textOf(raw.emailAddress),
    timeZone: textOf(raw.timeZone),
  };
}

function isInstant(raw: unknown): raw is string | number {
  return typeof raw === 'string' || Number.isFinite(raw);
}

function isCount(raw: unknown): raw is number | null | undefined {
  return isNothing(raw) || Number.isFinite(raw);
}

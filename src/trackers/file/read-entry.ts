import type { Group } from '../../model/directory.ts';
import { jiraStatus } from '../jira-json/jira-schema.ts';
import { readBeside } from '../jira-json/read-beside.ts';
import { type ReadIssue, readIssue, readShortIssue } from '../jira-json/read-issue.ts';
import { readNames } from '../jira-json/read-names.ts';
import { readStatus } from '../jira-json/read-status.ts';
import type { TrackerEntry } from '../tracker.ts';
import type { JsonElement } from './json-elements.ts';
import type { StandIns } from './stand-ins.ts';

/** What an element of a file tells; a group is complete only when all files have been read. */
export type FileEntry = TrackerEntry | { readonly kind: 'group'; readonly group: Group };

/** Where elements come from, and what earlier ones have told. */
export interface ElementSource {
  readonly file: string;
  readonly standIns: StandIns;
}

/** One element of a file in our nouns; what cannot be used is told as rejected. */
export function readElement(element: JsonElement, { file, standIns }: ElementSource): FileEntry[] {
  const short = readShort(element, standIns);
  if (short !== null) return issueEntries(short);
  const { bytes, offset, member } = element;
  try {
    const raw: unknown = JSON.parse(bytes.toString('utf8'));
    return member === 'names' ? namesEntries(raw) : readEntry(raw, `the entry at byte ${offset}`, file);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const reason = `the entry at byte ${offset} is broken JSON: ${error.message}`;
    return [{ kind: 'rejected', source: file, key: null, reason }];
  }
}

/** An issue of which known objects need not be parsed again; null for what has to be read in all its words. */
function readShort(element: JsonElement, standIns: StandIns): UsableIssue | null {
  const bytes = element.shortBytes();
  if (bytes === null) return null;
  try {
    const raw: unknown = JSON.parse(bytes.toString('utf8'));
    standIns.restore(raw);
    const read = readShortIssue(raw, standIns);
    return read === null || 'reason' in read ? null : read;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** A file that is one answer without a list, such as one group with its people; null when it is nothing known. */
export function readWholeFile(text: string): FileEntry[] | null {
  return besideEntries(JSON.parse(text));
}

function readEntry(raw: unknown, place: string, source: string): FileEntry[] {
  const page = pageOf(raw);
  if (page !== null)
    return [...namesEntries(page.names), ...page.list.flatMap((one) => readEntry(one, place, source))];
  const beside = besideEntries(raw);
  if (beside !== null) return beside;
  const status = isIssue(raw) ? null : jiraStatus.safeParse(raw);
  if (status?.success) return [{ kind: 'statuses', statuses: [readStatus(status.data)], list: source }];
  const read = readIssue(raw);
  if ('reason' in read) {
    const reason = read.key === null ? `${place} is no issue: ${read.reason}` : read.reason;
    return [{ kind: 'rejected', source, key: read.key, reason }];
  }
  return issueEntries(read);
}

type UsableIssue = Exclude<ReadIssue, { readonly reason: string }>;

function issueEntries(read: UsableIssue): FileEntry[] {
  const { issue, statuses, users, sprints, sprintFields, issueTypes } = read;
  return [
    { kind: 'statuses', statuses, list: null },
    { kind: 'users', users },
    ...(sprints.length === 0 ? [] : [{ kind: 'directory', part: { sprints } } as const]),
    ...(issueTypes.length === 0 ? [] : [{ kind: 'directory', part: { issueTypes } } as const]),
    ...sprintFields.map((id) => ({ kind: 'guess', field: { id, name: 'Sprint' } }) as const),
    { kind: 'issue', issue },
  ];
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

/** One answer of a list of whole answers, as `jq --slurp` makes it of several. */
function pageOf(raw: unknown): { readonly list: readonly unknown[]; readonly names: unknown } | null {
  if (raw === null || typeof raw !== 'object') return null;
  const names: unknown = Reflect.get(raw, 'names');
  for (const member of ['issues', 'values']) {
    const list: unknown = Reflect.get(raw, member);
    if (Array.isArray(list)) return { list, names };
  }
  return null;
}

function isIssue(raw: unknown): boolean {
  return raw !== null && typeof raw === 'object' && ('fields' in raw || 'key' in raw);
}

import type { Instant } from '../../model/issue.ts';
import { type JiraItem, jiraHistory } from '../jira-json/jira-schema.ts';
import { parseInstant } from '../jira-json/parse-instant.ts';
import { type Changelog, oldestFirst } from './changelog.ts';
import type { IssueJson } from './listed-issues.ts';

/** Jira writes an entry down some ms after it has written the issue, and some databases keep no part of a second. */
const USUALLY_LATER_MS = 2_000;

/** So shortly before the question an entry may be of a change that the fields do not tell yet. */
const JUST_NOW_MS = 60_000;

/** Fields with a single value, as the issue and the changelog call them alike. */
const comparable: readonly string[] = [
  'status',
  'assignee',
  'reporter',
  'priority',
  'resolution',
  'issuetype',
];

/** Members by which one of these values is known in some place or other. */
const names: readonly string[] = ['id', 'accountId', 'key', 'name', 'displayName'];

/**
 * Whether the changelog tells of a change that the fields do not know of. That an entry is later than `updated` does
 * not say so by itself: a change of the workflow, for one, is written into changelogs only. `askedAt`: when the issue
 * was asked for, by Jira's clock.
 */
export function changedSince({ fields }: IssueJson, changelog: Changelog, askedAt: Instant): boolean {
  const updated = parseInstant(fields.updated);
  if (updated === null) return false;
  const late = [...changelog.entries].filter(([, { at }]) => at !== null && at > updated + USUALLY_LATER_MS);
  if (late.length === 0) return false;
  if (late.some(([, { at }]) => at !== null && at > askedAt - JUST_NOW_MS)) return true;
  const newest = new Map<string, JiraItem>();
  for (const entry of oldestFirst({ ...changelog, entries: new Map(late) })) {
    const items = jiraHistory.safeParse(entry).data?.items ?? [];
    for (const item of items) newest.set(item.fieldId ?? item.field, item);
  }
  return comparable.some((field) => {
    const item = newest.get(field);
    return item !== undefined && field in fields && contradicts(item, fields[field]);
  });
}

/** Whether the issue shows something else than this item leads to. */
function contradicts({ to, toText }: JiraItem, shown: unknown): boolean {
  const values = [to, toText].filter((value) => Boolean(value));
  if (shown === null || typeof shown !== 'object') return values.length > 0;
  const known = names.map((name): unknown => Reflect.get(shown, name));
  return !values.some((value) => known.includes(value));
}

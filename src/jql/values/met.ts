import type { FieldContent, FieldValue, Issue } from '../../model/issue.ts';
import { type Naming, nameAll } from './naming.ts';

/** What the issues hold of one field: its values by name, and what its contents are like. */
export interface Met {
  /** Values the issues have. */
  readonly today: Naming;
  /** Values that only changes mention; none of a field that holds lists, where a change tells the whole list. */
  readonly former: Naming;
  readonly lists: boolean;
  readonly values: boolean;
  readonly numbers: boolean;
  /** Plain texts, as long as there are but a few different ones to look at. */
  readonly texts: ReadonlySet<string>;
}

const seen = new WeakMap<readonly Issue[], Map<string, Met>>();

/** What is met of a field in these issues; looked for once. */
export function metIn(issues: readonly Issue[], field: string): Met {
  const fields = seen.get(issues) ?? new Map<string, Met>();
  seen.set(issues, fields);
  const known = fields.get(field) ?? meet(issues, field);
  fields.set(field, known);
  return known;
}

const MOST_TEXTS = 1_000;

function meet(issues: readonly Issue[], field: string): Met {
  const values = new Map<string, FieldValue>();
  const texts = new Set<string>();
  let lists = false;
  let numbers = false;
  const add = (value: FieldValue) => {
    const key = `${value.id}\n${value.name}`;
    if (!values.has(key)) values.set(key, value);
  };
  for (const issue of issues) {
    const content = heldBy(issue, field);
    if (content === null || content === '') continue;
    if (typeof content === 'number') numbers = true;
    else if (typeof content === 'string') {
      if (texts.size < MOST_TEXTS) texts.add(content);
    } else if ('length' in content) {
      lists = true;
      for (const one of content) add(one);
    } else add(content);
  }
  const plain = texts.size > 0 || numbers;
  return {
    today: nameAll(values.values()),
    former: nameAll(lists || plain ? [] : mentioned(issues, field)),
    lists,
    values: values.size > 0,
    numbers,
    texts,
  };
}

function heldBy(issue: Issue, field: string): FieldContent {
  if (Object.hasOwn(issue.fields, field)) return issue.fields[field] ?? null;
  if (field === 'status') return issue.status;
  return field === 'assignee' ? issue.assignee : null;
}

function mentioned(issues: readonly Issue[], field: string): Iterable<FieldValue> {
  const values = new Map<string, FieldValue>();
  for (const { changes } of issues) {
    for (const change of changes) {
      if (change.field !== field) continue;
      for (const value of [change.from, change.to]) {
        if (value !== null) values.set(`${value.id}\n${value.name}`, value);
      }
    }
  }
  return values.values();
}

const authors = new WeakMap<readonly Issue[], Naming>();

/** Everybody who changed one of the issues, by id. */
export function authorsIn(issues: readonly Issue[]): Naming {
  const known = authors.get(issues) ?? nameAll(byAuthors(issues));
  authors.set(issues, known);
  return known;
}

function byAuthors(issues: readonly Issue[]): Iterable<FieldValue> {
  const ids = new Set<string>();
  for (const { changes } of issues) for (const { by } of changes) if (by !== null) ids.add(by);
  return [...ids].map((id) => ({ id, name: id }));
}

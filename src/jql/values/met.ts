import { rememberByChunk } from '../../issues/issue-chunks.ts';
import { changesOf, contentOf } from '../../issues/issue-fields.ts';
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

const seen = new Map<string, (issues: readonly Issue[]) => Met>();

/** What is met of a field in these issues; looked for once. */
export function metIn(issues: readonly Issue[], field: string): Met {
  const metOf = seen.get(field) ?? rememberMet(field);
  seen.set(field, metOf);
  return metOf(issues);
}

function rememberMet(field: string): (issues: readonly Issue[]) => Met {
  const former = rememberByChunk((chunk) => mentioned(chunk, field), joinValues);
  return rememberByChunk(
    (chunk) => meet(chunk, field),
    (parts, issues) => joinMet(parts, () => former(issues)),
  );
}

/** The same of a chunk. */
interface MetInChunk extends Pick<Met, 'lists' | 'numbers' | 'texts'> {
  readonly values: ReadonlyMap<string, FieldValue>;
}

const MOST_TEXTS = 1_000;

function meet(issues: readonly Issue[], field: string): MetInChunk {
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
  return { values, lists, numbers, texts };
}

function joinMet(parts: readonly MetInChunk[], former: () => ReadonlyMap<string, FieldValue>): Met {
  const values = joinValues(parts.map((part) => part.values));
  const texts = new Set<string>();
  for (const part of parts) {
    for (const text of part.texts) if (texts.size < MOST_TEXTS) texts.add(text);
  }
  const lists = parts.some((part) => part.lists);
  const numbers = parts.some((part) => part.numbers);
  const plain = texts.size > 0 || numbers;
  return {
    today: nameAll(values.values()),
    former: nameAll(lists || plain ? [] : former().values()),
    lists,
    values: values.size > 0,
    numbers,
    texts,
  };
}

/** In the order in which they were met first. */
function joinValues(parts: readonly ReadonlyMap<string, FieldValue>[]): ReadonlyMap<string, FieldValue> {
  const [only, ...others] = parts;
  if (only !== undefined && others.length === 0) return only;
  const all = new Map<string, FieldValue>();
  for (const part of parts) for (const [id, value] of part) if (!all.has(id)) all.set(id, value);
  return all;
}

function heldBy(issue: Issue, field: string): FieldContent {
  const content = contentOf(issue, field);
  if (content !== undefined) return content;
  if (field === 'status') return issue.status;
  return field === 'assignee' ? issue.assignee : null;
}

function mentioned(issues: readonly Issue[], field: string): ReadonlyMap<string, FieldValue> {
  const values = new Map<string, FieldValue>();
  for (const issue of issues) {
    for (const change of changesOf(issue, field)) {
      for (const value of [change.from, change.to]) {
        if (value !== null) values.set(`${value.id}\n${value.name}`, value);
      }
    }
  }
  return values;
}

const authors = rememberByChunk(byAuthors, joinAuthors);

/** Everybody who changed one of the issues, by id. */
export function authorsIn(issues: readonly Issue[]): Naming {
  return authors(issues);
}

function joinAuthors(parts: readonly ReadonlySet<string>[]): Naming {
  const ids = new Set<string>();
  for (const part of parts) for (const id of part) ids.add(id);
  return nameAll([...ids].map((id) => ({ id, name: id })));
}

function byAuthors(issues: readonly Issue[]): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const { changes } of issues) for (const { by } of changes) if (by !== null) ids.add(by);
  return ids;
}

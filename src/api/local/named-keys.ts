import { memo } from '../../cache/memo.ts';
import type { YieldIfDue } from '../../concurrency/cooperative-yield.ts';
import type { IssueChunk } from '../../issues/issue-chunks.ts';
import { changesOf, contentOf } from '../../issues/issue-fields.ts';
import type { FieldValue, Issue } from '../../model/issue.ts';
import { issueKeysIn } from './issue-keys-in.ts';
import { valuesIn } from './values-in.ts';

/** Keys (upper case), each with the id of a value that is called exactly so; null where no value is. */
type NamedKeys = ReadonlyMap<string, string | null>;

/** By field. */
const foundIn = memo((_chunk: IssueChunk) => new Map<string, NamedKeys>());

/** What looks like keys of issues in one field of these, now and in the history; looked for once in each chunk. */
export async function namedKeys(chunk: IssueChunk, field: string, pace: YieldIfDue): Promise<NamedKeys> {
  const known = foundIn(chunk).get(field);
  if (known !== undefined) return known;
  const keys = new Map<string, string | null>();
  for (const issue of chunk) {
    const rest = pace();
    if (rest !== null) await rest;
    note(issue, field, keys);
  }
  foundIn(chunk).set(field, keys);
  return keys;
}

function note(issue: Issue, field: string, keys: Map<string, string | null>): void {
  const add = (value: FieldValue) => {
    for (const key of issueKeysIn(value)) {
      const id = value.name.toUpperCase() === key && value.id !== value.name ? value.id : null;
      keys.set(key, keys.get(key) ?? id);
    }
  };
  for (const value of valuesIn(contentOf(issue, field))) add(value);
  for (const { from, to } of changesOf(issue, field)) {
    if (from !== null) add(from);
    if (to !== null) add(to);
  }
}

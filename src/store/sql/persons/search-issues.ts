import { createYieldIfDue } from '../../../concurrency/cooperative-yield.ts';
import type { Issue } from '../../../model/issue.ts';
import { PackedIssue } from '../../packed/packed-issue.ts';
import type { Erasures } from '../../persons/pseudonyms.ts';
import { replaceInIssue, replaceText, replaceValue } from '../../persons/replace-person.ts';
import { openTerms } from '../open-terms.ts';
import { openWriting } from '../put-issues.ts';
import { isInText, type PersonSearch } from './search-rows.ts';

/** Issues that are read, and written, at once. */
const ISSUES_AT_ONCE = 1_000;

/** A text that may be the beginning of keys of issues, which stay as they are. */
const projectKey = /^[A-Z][A-Z0-9_]*$/;

/**
 * Replaces a person in the terms of a tracker's issues, under their numbers: issues that have them by these need not be
 * written. What processes know of terms is void with the next lineage, until which they go by the ones they have read.
 */
export async function searchTerms(search: PersonSearch, tracker: string): Promise<void> {
  const { areas, engine, tenant, who, found, isWriting } = search;
  const rows = await engine.db
    .selectFrom('issue_term')
    .select(['kind', 'number', 'term'])
    .where((row) => row.and({ tenant, tracker }))
    .where('kind', 'in', ['text', 'value'])
    .execute();
  const replaced = rows.flatMap(({ kind, number, term }) => {
    const next = kind === 'text' ? replacedText(JSON.parse(term)) : replacedPair(JSON.parse(term));
    const isRecord = next !== null;
    found.add(`terms ${tracker}`, { isRecord, isInText: isInText(search, JSON.stringify(next ?? term)) });
    return next === null ? [] : [{ kind, number, term: JSON.stringify(next) }];
  });
  if (!isWriting || replaced.length === 0) return;
  await areas.write(`issues ${tracker}`, async ({ db }) => {
    for (const { kind, number, term } of replaced) {
      await db
        .updateTable('issue_term')
        .set({ term })
        .where((row) => row.and({ tenant, tracker, kind, number }))
        .execute();
    }
  });

  function replacedText(text: string): string | null {
    if (projectKey.test(text)) return null;
    const next = replaceText(text, who);
    return next === text ? null : next;
  }

  function replacedPair([id, name]: readonly [string, string]): readonly [string, string] | null {
    const value = { id, name };
    const next = replaceValue(value, '', who);
    return next === value ? null : [next.id, next.name];
  }
}

/**
 * Goes through the issues of a tracker in the order of their last change, so that what is written meanwhile comes last and
 * is seen as well.
 */
export async function searchIssues(
  search: PersonSearch,
  { tracker, erasures }: { readonly tracker: string; readonly erasures: Erasures },
): Promise<void> {
  const { engine, areas, tenant, who, found, isWriting, onRecord } = search;
  const owner = [tenant, tracker] as const;
  const area = `issues ${tracker}`;
  // The terms of the rest of the process are those of before.
  const terms = openTerms(owner, areas, area);
  const { putIssues, removeIssues } = openWriting(engine, { owner, area, areas, terms, erasures });
  const yieldIfDue = createYieldIfDue();
  for (let after = -1, isOver = false; !isOver; ) {
    const rows = await engine.packedIssues(owner, { order: 'revision', after, count: ISSUES_AT_ONCE });
    after = rows.at(-1)?.revision ?? after;
    isOver = rows.length < ISSUES_AT_ONCE;
    const known = await terms.current();
    await known.upTo(engine.db, after);
    const changed: Issue[] = [];
    for (const { packed } of rows) {
      const issue = new PackedIssue(packed, known.unpacker);
      const next = replaceInIssue(issue, who);
      const isRecord = next !== issue;
      if (isRecord) {
        changed.push(next);
        await onRecord({ kind: 'issue', tracker, id: issue.key, content: rolesIn(issue, next) });
      }
      found.add(area, { isRecord, isInText: !isWriting && isInText(search, textOf(next)) });
      await yieldIfDue();
    }
    if (!isWriting || changed.length === 0) continue;
    isOver = false;
    const present = new Set<string>();
    await putIssues(changed, (stored) => {
      present.add(stored.id ?? '');
      return replaceInIssue(stored, who);
    });
    // An issue that was removed since it was read is stored anew, and removed again.
    const removed = changed.flatMap(({ id }) => (id === undefined || present.has(id) ? [] : [id]));
    if (removed.length > 0) await removeIssues(removed);
  }
}

/** All that is written of an issue, as one text; ids, dates and the like are no words. */
function textOf({ key, summary, link, assignee, fields, changes }: Issue): string {
  return JSON.stringify([key, summary, link, assignee, fields, changes]);
}

/** The roles of a person in an issue: fields that name them, and how many changes are theirs, or from or to them. */
function rolesIn(issue: Issue, replaced: Issue) {
  const before = new Map(Object.entries(issue.fields));
  return {
    fields: Object.entries(replaced.fields).flatMap(([field, content]) =>
      content === before.get(field) ? [] : [field],
    ),
    isAssignee: issue.assignee !== replaced.assignee,
    changesBy: replaced.changes.filter(({ by }, i) => by !== issue.changes[i]?.by).length,
    changesOf: replaced.changes.filter(
      ({ from, to }, i) => from !== issue.changes[i]?.from || to !== issue.changes[i]?.to,
    ).length,
  };
}

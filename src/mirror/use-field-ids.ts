import type { IssueStore } from '../store/store.ts';
import type { FieldTitles } from './field-titles.ts';

const CHUNK_ISSUES = 500;

/**
 * Has every issue that is kept tell its changes by field id, as far as titles lead to one. `between` is waited for after
 * each piece.
 */
export async function useFieldIds(
  store: IssueStore,
  titles: FieldTitles,
  between: () => Promise<void> = async () => {},
): Promise<void> {
  // What is rewritten gets a revision beyond this one and is not looked at again.
  const last = await store.revision();
  for (let revision = 0; revision < last; ) {
    const chunk = await store.changedSince(revision, CHUNK_ISSUES);
    const issues = chunk.issues.map(({ issue }) => issue);
    const affected = issues.filter((issue) => titles.useIds(issue) !== issue);
    if (affected.length > 0) await store.putIssues(affected, titles.useIds);
    revision = chunk.revision;
    await between();
  }
}

import type { FieldName } from '../model/directory.ts';
import type { Change, Issue } from '../model/issue.ts';
import { customNamed, customTitle, isCustomField, unmatchedTitles } from '../model/issues/field-titles.ts';
import type { KeptIssue } from '../store/store.ts';
import { createHistoryValues, type HistoryValues } from './history-values.ts';
import { issuesChanged, type TrackerIssues } from './lists/tracker-issues.ts';

/**
 * Facts of fields' titles, and of values that have a name only. Data Center records changes under a field's
 * title; those of fields that every site has are replaced where issues are read, and marked where a custom field has the
 * title of one of them.
 */
export interface FieldTitles {
  readonly values: HistoryValues;
  /** Learns titles and kinds of fields. */
  note(fields: readonly FieldName[]): void;
  /** Learns from issues how their fields call values. */
  noteValues(issues: readonly Issue[]): void;
  /**
   * Returns the issue with its changes under ids instead of titles, and with values of histories in the form that contents
   * have; the same issue where there are none to replace.
   */
  useIds(issue: Issue): Issue;
  /** See `unmatchedTitles`; `ids` are those of the fields that issues have. */
  unmatched(changed: ReadonlySet<string>, ids: ReadonlySet<string>): string[];
  /** Returns whether titles lead to other ids, or fields have other kinds, than when issues were stored. */
  isNew(): boolean;
  /** Returns whether new facts could make a difference to the stored issues that values were learnt from. */
  concernsStored(): boolean;
  /** Notes that all stored issues have been changed by the facts so far. */
  settle(): void;
}

/**
 * Creates the facts of titles. A title leads to an id only when exactly one field has it, and only where it is no field's
 * id itself. Issues were stored with the titles and kinds of `known`.
 */
export function createFieldTitles(
  values = createHistoryValues(),
  known: readonly FieldName[] = [],
): FieldTitles {
  const kinds = new Map<string, FieldName['list']>();
  /** Titles whose ids are known since, and fields of another kind since. */
  const newTitles = new Set<string>();
  const newKinds = new Set<string>();
  const names = new Map<string, string>();
  let idOfTitle = new Map<string, string>();
  /** The same of custom fields alone. */
  let idOfCustom = new Map<string, string>();

  function idOf({ field }: Change, issue: Issue): string {
    if (names.has(field) || Object.hasOwn(issue.fields, field)) return field;
    const title = customTitle(field);
    return (title === null ? idOfTitle.get(field) : idOfCustom.get(title)) ?? field;
  }

  function useOwn(change: Change, issue: Issue): Change {
    const field = idOf(change, issue);
    const own = field === change.field ? change : { ...change, field };
    const [from, to] = [values.valueOf(field, change.from), values.valueOf(field, change.to)];
    return from === change.from && to === change.to ? own : { ...own, from, to };
  }

  function note(fields: readonly FieldName[]): void {
    values.noteKinds(fields);
    for (const { id, list } of fields) {
      if (list === undefined || kinds.get(id) === list) continue;
      kinds.set(id, list);
      newKinds.add(id);
    }
    // Every page of an export brings the same titles.
    if (fields.every(({ id, name }) => names.get(id) === name)) return;
    for (const { id, name } of fields) names.set(id, name);
    const [ofTitle, ofCustom] = [idOfTitle, idOfCustom];
    idOfTitle = onlyByTitle(names);
    idOfCustom = onlyByTitle([...names].filter(([id]) => isCustomField(id)));
    for (const [title, id] of idOfTitle) if (ofTitle.get(title) !== id) newTitles.add(title);
    for (const [title, id] of idOfCustom) if (ofCustom.get(title) !== id) newTitles.add(customNamed(title));
  }

  function settleFields(): void {
    newTitles.clear();
    newKinds.clear();
  }

  note(known);
  settleFields();
  return {
    values,
    note,
    noteValues(issues) {
      for (const issue of issues) values.noteIssue(issue, (change) => idOf(change, issue));
    },
    useIds(issue) {
      if (idOfCustom.size === 0 && !values.isKnown()) return issue;
      // Almost no issue has such a change, and needs a copy.
      if (issue.changes.every((change) => useOwn(change, issue) === change)) return issue;
      return { ...issue, changes: issue.changes.map((change) => useOwn(change, issue)) };
    },
    unmatched: (changed, ids) => unmatchedTitles({ ids, changed, names }),
    isNew: () => newTitles.size + newKinds.size > 0,
    concernsStored: () =>
      values.hasNews() ||
      newTitles.values().some(values.mayHaveTitle) ||
      newKinds.values().some(values.mayHaveBare),
    settle() {
      settleFields();
      values.settle();
    },
  };
}

/** Ids of custom fields by the titles that no other of these fields has. */
function onlyByTitle(names: Iterable<readonly [id: string, name: string]>): Map<string, string> {
  return new Map(
    [...Map.groupBy(names, ([, name]) => name)].flatMap(
      ([title, [[id = ''] = [], ...others]]): [string, string][] =>
        others.length === 0 && isCustomField(id) ? [[title, id]] : [],
    ),
  );
}

/**
 * Puts the changes of every stored issue under field ids, as far as titles lead to one, and values of histories into the
 * form that contents have; again where these issues themselves add facts of values. Where no new fact concerns the issues
 * learnt from before, only the others are read. `between` is awaited after each piece.
 */
export async function useFieldIds(
  store: TrackerIssues,
  titles: FieldTitles,
  between: () => Promise<void> = async () => {},
): Promise<void> {
  const { values } = titles;
  let isConcerned = values.seenTo() === 0 || titles.concernsStored();
  if (!isConcerned) {
    await useIdsSince(values.seenTo(), store, titles, between);
    isConcerned = titles.concernsStored();
  }
  for (let known: number | null = null; isConcerned && known !== values.newsCount(); ) {
    known = values.newsCount();
    await useIdsSince(0, store, titles, between);
  }
  titles.settle();
}

/** The same once, for issues changed since a revision. */
async function useIdsSince(
  since: number,
  store: TrackerIssues,
  titles: FieldTitles,
  between: () => Promise<void>,
): Promise<void> {
  // Rewritten issues get a revision beyond this one and are not read again.
  const last = await store.revision();
  let rewritten = 0;
  for await (const issues of issuesChanged(store, since, last)) {
    titles.noteValues(issues);
    const affected = issues.filter((issue) => titles.useIds(issue) !== issue);
    if (affected.length > 0) rewritten += countChanged(await store.putIssues(affected, titles.useIds));
    await between();
  }
  const now = await store.revision();
  // With a higher revision, something else has changed issues meanwhile, and those are read another time.
  titles.values.setSeenTo(now === last + rewritten ? now : last);
}

/** Counts the revisions that writing issues took where none has another key than before. */
export function countChanged(stored: readonly KeptIssue[]): number {
  return stored.filter(({ changed }) => changed).length;
}

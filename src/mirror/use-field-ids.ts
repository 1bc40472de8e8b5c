import { customNamed, customTitle, isCustomField, unmatchedTitles } from '../issues/field-titles.ts';
import type { FieldName } from '../model/directory.ts';
import type { Change, Issue } from '../model/issue.ts';
import type { IssueStore } from '../store/store.ts';
import { createHistoryValues, type HistoryValues } from './history-values.ts';

/**
 * What is known so far of fields' titles, and of values that have a name only. Data Center records changes under a field's
 * title; those of fields that every site has are known where issues are read, and marked where a custom field is called
 * like one of them.
 */
export interface FieldTitles {
  readonly values: HistoryValues;
  learn(fields: readonly FieldName[]): void;
  /** Learns from issues how their fields call values. */
  learnValues(issues: readonly Issue[]): void;
  /**
   * The issue with changes recorded under a title put under the id, and with values in histories in the form that contents
   * have; the same one when there are none.
   */
  useIds(issue: Issue): Issue;
  /** Whether any of these titles leads to an id. */
  areAmong(titles: ReadonlySet<string>): boolean;
  /** As of `unmatchedTitles`: `ids` are those of the fields that issues have. */
  unmatched(changed: ReadonlySet<string>, ids: ReadonlySet<string>): string[];
  /** The titles that lead to an id, so that two states of knowledge can be compared. */
  text(): string;
}

/** A title leads to an id only when exactly one field has it, and only where it is no field's id itself. */
export function createFieldTitles(values = createHistoryValues()): FieldTitles {
  const names = new Map<string, string>();
  let idOfTitle = new Map<string, string>();
  /** The same of custom fields alone. */
  let idOfCustom = new Map<string, string>();

  function idOf({ field }: Change, issue: Issue): string {
    return names.has(field) || Object.hasOwn(issue.fields, field) ? field : idTitled(field);
  }

  function idTitled(field: string): string {
    const title = customTitle(field);
    return (title === null ? idOfTitle.get(field) : idOfCustom.get(title)) ?? field;
  }

  function useOwn(change: Change, issue: Issue): Change {
    const field = idOf(change, issue);
    const own = field === change.field ? change : { ...change, field };
    const [from, to] = [values.valueOf(field, change.from), values.valueOf(field, change.to)];
    return from === change.from && to === change.to ? own : { ...own, from, to };
  }

  return {
    values,
    learn(fields) {
      for (const { id, name } of fields) names.set(id, name);
      values.learnKinds(fields);
      idOfTitle = onlyByTitle(names);
      idOfCustom = onlyByTitle([...names].filter(([id]) => isCustomField(id)));
    },
    learnValues(issues) {
      for (const issue of issues) values.learn(issue, (change) => idOf(change, issue));
    },
    useIds(issue) {
      if (idOfCustom.size === 0 && !values.isKnown()) return issue;
      // Almost every issue is right as it is, and needs no copy.
      if (issue.changes.every((change) => useOwn(change, issue) === change)) return issue;
      return { ...issue, changes: issue.changes.map((change) => useOwn(change, issue)) };
    },
    areAmong: (titles) =>
      idOfTitle.keys().some((title) => titles.has(title)) ||
      idOfCustom.keys().some((title) => titles.has(customNamed(title))),
    unmatched: (changed, ids) => unmatchedTitles({ ids, changed, names }),
    text: () =>
      JSON.stringify(
        [idOfTitle, idOfCustom, values.kinds()].map((ids) => [...ids].sort(([a], [b]) => (a < b ? -1 : 1))),
      ),
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

const READ_AT_ONCE = 500;

/**
 * Puts the changes of every issue that is kept under field ids, as far as titles lead to one, and values of histories into
 * the form that contents have; again where these issues themselves say more of values. `between` is waited for after each
 * piece.
 */
export async function useFieldIds(
  store: IssueStore,
  titles: FieldTitles,
  between: () => Promise<void> = async () => {},
): Promise<void> {
  const { values } = titles;
  for (let known: number | null = null; known !== values.version(); ) {
    known = values.version();
    // Rewritten issues get a revision beyond this one and are not read again.
    const last = await store.revision();
    for (let revision = 0; revision < last; ) {
      const chunk = await store.changedSince(revision, READ_AT_ONCE);
      const issues = chunk.issues.map(({ issue }) => issue);
      titles.learnValues(issues);
      const affected = issues.filter((issue) => titles.useIds(issue) !== issue);
      if (affected.length > 0) await store.putIssues(affected, titles.useIds);
      revision = chunk.revision;
      await between();
    }
  }
  values.settle();
}

import { customNamed, customTitle } from '../issues/field-titles.ts';
import { joinValues } from '../issues/value-sets.ts';
import type { FieldName } from '../model/directory.ts';
import type { Change, FieldContent, FieldValue, Issue } from '../model/issue.ts';
import type { IssueStore } from '../store/store.ts';

/**
 * Data Center records changes under a field's title; those of fields that every site has are known where issues are read,
 * and marked where a custom field is called like one of them.
 */
const CUSTOM = /^customfield_\d+$/;

/** What is known so far of fields' titles, and of those that hold lists of words. */
export interface FieldTitles {
  learn(fields: readonly FieldName[]): void;
  /** Learns from their contents which fields hold lists of values that have no ids. */
  learnLists(issues: readonly Issue[]): void;
  /**
   * The issue with changes recorded under a title put under the id, and with changes of such lists in the form of their
   * contents; the same one when there are none.
   */
  useIds(issue: Issue): Issue;
  /** Whether fields that hold such lists are among these. */
  hasListsAmong(fields: ReadonlySet<string>): boolean;
  /** Whether any of these titles leads to an id. */
  areAmong(titles: ReadonlySet<string>): boolean;
  /** The titles that lead to an id, so that two states of knowledge can be compared. */
  text(): string;
}

/** A title leads to an id only when exactly one field has it, and only where it is no field's id itself. */
export function createFieldTitles(): FieldTitles {
  const names = new Map<string, string>();
  let idOfTitle = new Map<string, string>();
  /** The same of custom fields alone. */
  let idOfCustom = new Map<string, string>();
  /** By field: as the tracker's list of fields says, and as contents show. */
  const listed = new Map<string, List>();
  const observed = new Map<string, List>();

  function idOf({ field }: Change, issue: Issue): string {
    if (names.has(field) || Object.hasOwn(issue.fields, field)) return field;
    const title = customTitle(field);
    return (title === null ? idOfTitle.get(field) : idOfCustom.get(title)) ?? field;
  }

  function useOwn(change: Change, issue: Issue): Change {
    const field = idOf(change, issue);
    const list = listed.get(field) ?? observed.get(field);
    const own = field === change.field ? change : { ...change, field };
    if (list === undefined) return own;
    const [from, to] = [asList(change.from, list), asList(change.to, list)];
    return from === change.from && to === change.to ? own : { ...own, from, to };
  }

  return {
    learn(fields) {
      for (const { id, name, list } of fields) {
        names.set(id, name);
        if (list !== undefined) listed.set(id, list);
      }
      idOfTitle = onlyByTitle(names);
      idOfCustom = onlyByTitle([...names].filter(([id]) => CUSTOM.test(id)));
    },
    learnLists(issues) {
      for (const { fields } of issues) {
        for (const field in fields) {
          const list = CUSTOM.test(field) ? listOf(fields[field] ?? null) : null;
          if (list === 'names' || (list === 'words' && !observed.has(field))) observed.set(field, list);
        }
      }
    },
    useIds(issue) {
      if (idOfCustom.size + listed.size + observed.size === 0) return issue;
      const changes = issue.changes.map((change) => useOwn(change, issue));
      return changes.every((change, i) => change === issue.changes[i]) ? issue : { ...issue, changes };
    },
    hasListsAmong: (fields) =>
      fields.values().some((field) => {
        const title = customTitle(field);
        return observed.has((title === null ? idOfTitle.get(field) : idOfCustom.get(title)) ?? field);
      }),
    areAmong: (titles) =>
      idOfTitle.keys().some((title) => titles.has(title)) ||
      idOfCustom.keys().some((title) => titles.has(customNamed(title))),
    text: () =>
      JSON.stringify(
        [idOfTitle, idOfCustom, listed].map((ids) => [...ids].sort(([a], [b]) => (a < b ? -1 : 1))),
      ),
  };
}

type List = NonNullable<FieldName['list']>;

/** What kind of list a content is; null where it is none, or where its values have ids of their own. */
function listOf(content: FieldContent): List | null {
  if (content === null || typeof content !== 'object' || !('length' in content) || content.length === 0)
    return null;
  if (content.some(({ id, name }) => id !== name)) return null;
  return content.some(({ name }) => /\s/.test(name)) ? 'names' : 'words';
}

/**
 * A value that a changelog writes as a list of names, as one of the set: groups in square brackets, words with blanks in
 * between. The very same one where it is that already.
 */
function asList(value: FieldValue | null, list: List): FieldValue | null {
  if (value === null || value.id !== value.name) return value;
  const { name } = value;
  const isBracketed = name.startsWith('[') && name.endsWith(']');
  if (!isBracketed && list === 'names') return value;
  const names = isBracketed ? name.slice(1, -1).split(/, ?/) : name.split(/,?\s+/);
  const set = joinValues(names.filter((one) => one !== '').map((one) => ({ id: one, name: one })));
  return set?.id === value.id ? value : set;
}

/** Ids of custom fields by the titles that no other of these fields has. */
function onlyByTitle(names: Iterable<readonly [id: string, name: string]>): Map<string, string> {
  return new Map(
    [...Map.groupBy(names, ([, name]) => name)].flatMap(
      ([title, [[id = ''] = [], ...others]]): [string, string][] =>
        others.length === 0 && CUSTOM.test(id) ? [[title, id]] : [],
    ),
  );
}

const RENAMED_AT_ONCE = 500;

/**
 * Puts the changes of every issue that is kept under field ids, as far as titles lead to one. `between` is waited for after
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
    const chunk = await store.changedSince(revision, RENAMED_AT_ONCE);
    const affected = chunk.issues.map(({ issue }) => issue).filter((issue) => titles.useIds(issue) !== issue);
    if (affected.length > 0) await store.putIssues(affected, titles.useIds);
    revision = chunk.revision;
    await between();
  }
}

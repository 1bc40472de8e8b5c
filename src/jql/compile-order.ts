import { compareIds, compareText } from '../model/compare-ids.ts';
import type { Issue } from '../model/issue.ts';
import type { Compilation } from './compilation.ts';
import { type Field, UNCERTAIN } from './fields/field.ts';
import { findField } from './fields/find-field.ts';
import { refuse } from './refuse.ts';
import type { OrderTerm } from './syntax/query-tree.ts';
import { keyParts } from './values/issue-key-values.ts';

type SortKey = string | number | null;

/**
 * The order asked for. Without ASC or DESC a field has its own direction, as in Jira: dates begin with the latest,
 * priorities with the most important, everything else ascends. Ascending, what is empty comes last, descending first.
 * What a cut history does not tell is ordered like what is empty. Issues that are level are ordered by key: project, then number.
 */
export function compileOrder(
  terms: readonly OrderTerm[],
  compilation: Compilation,
): ((a: Issue, b: Issue) => number) | null {
  if (terms.length === 0) return null;
  const orders = terms.map((term) => compileTerm(term, compilation));
  return (a, b) => {
    for (const order of orders) {
      const compared = order(a, b);
      if (compared !== 0) return compared;
    }
    return byKey(a, b);
  };
}

function compileTerm(term: OrderTerm, compilation: Compilation): (a: Issue, b: Issue) => number {
  if (['text', 'filter', 'request'].includes(term.field.text.trim().toLowerCase())) {
    throw refuse(
      compilation.name,
      term.field,
      'cannot be ordered by; allowed: a field with values of its own.',
    );
  }
  const field = findField(term.field, compilation);
  const descends = (term.direction ?? (field.values.descending === true ? 'desc' : 'asc')) === 'desc';
  const compare = field.title === 'key' ? byKey : bySortKey(field);
  return descends ? (a, b) => compare(b, a) : compare;
}

function bySortKey(field: Field): (a: Issue, b: Issue) => number {
  const keys = new WeakMap<Issue, { readonly key: SortKey }>();
  const keyOf = (issue: Issue): SortKey => {
    const known = keys.get(issue) ?? { key: sortKey(field, issue) };
    keys.set(issue, known);
    return known.key;
  };
  return (a, b) => compareKeys(keyOf(a), keyOf(b));
}

/** Several values are ordered as the list of them reads. */
function sortKey({ read, values }: Field, issue: Issue): SortKey {
  const content = read(issue);
  if (content === UNCERTAIN || content === null || content === '') return null;
  const key =
    typeof content === 'object' && 'length' in content
      ? content.length === 0
        ? null
        : content.map((item) => values.sortKey(item)).join(', ')
      : values.sortKey(content);
  return typeof key === 'number' && Number.isNaN(key) ? null : key;
}

function compareKeys(a: SortKey, b: SortKey): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  if (typeof a === 'number' && typeof b === 'number') return a < b ? -1 : a > b ? 1 : 0;
  return compareText(String(a), String(b));
}

function byKey(a: Issue, b: Issue): number {
  const [projectA, numberA] = keyParts(a.key);
  const [projectB, numberB] = keyParts(b.key);
  return compareText(projectA, projectB) || compareIds(numberA, numberB);
}

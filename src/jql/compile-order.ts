import { compareText, sortableId } from '../issues/ids-and-names.ts';
import { badRequest } from '../model/error.ts';
import type { Issue } from '../model/issue.ts';
import { findField } from './fields.ts';
import type { Compilation, JqlOrder, SortKey } from './jql.ts';
import { keyParts } from './plain-values.ts';
import { type OrderTerm, refuse } from './query-tree.ts';
import { type Field, UNCERTAIN } from './values.ts';

/** Nobody reads an order of more fields, and each costs a key of every issue. */
const MOST_FIELDS = 16;

/** One thing that decides, until it is level. */
interface Step {
  readonly keyOf: (issue: Issue) => SortKey;
  readonly descends: boolean;
}

/**
 * The order asked for. Without ASC or DESC a field has its own direction, as in Jira: dates begin with the latest,
 * priorities with the most important, everything else ascends. Ascending, what is empty comes last, descending first.
 * What a cut history does not tell is ordered like what is empty. Issues that are level are ordered by key: project, then
 * number. A field that is named again decides nothing any more; more than 16 different ones are refused.
 */
export function compileOrder(terms: readonly OrderTerm[], compilation: Compilation): JqlOrder | null {
  if (terms.length === 0) return null;
  const byField = new Map<string, readonly Step[]>();
  for (const term of terms) {
    const { field, descends } = compileTerm(term, compilation);
    const identity = field.history ?? field.title;
    if (!byField.has(identity)) byField.set(identity, stepsOf(field, descends));
    if (byField.size > MOST_FIELDS) {
      throw badRequest(
        `${compilation.name}: ORDER BY names more than ${MOST_FIELDS} different fields. Try: fewer fields, ${MOST_FIELDS} at most.`,
      );
    }
  }
  const steps = [...[...byField.values()].flat(), ...keySteps(false)];
  return {
    keysOf: (issue) => steps.map(({ keyOf }) => keyOf(issue)),
    compare(a, b) {
      for (let i = 0; i < steps.length; i += 1) {
        const compared = compareKeys(a[i] ?? null, b[i] ?? null);
        if (compared !== 0) return steps[i]?.descends ? -compared : compared;
      }
      return 0;
    },
  };
}

function compileTerm(
  term: OrderTerm,
  compilation: Compilation,
): { readonly field: Field; readonly descends: boolean } {
  if (['text', 'filter', 'request'].includes(term.field.text.trim().toLowerCase())) {
    throw refuse(
      compilation.name,
      term.field,
      'cannot be ordered by; allowed: a field with values of its own.',
    );
  }
  const field = findField(term.field, compilation);
  const direction = term.direction ?? (field.values.descending === true ? 'desc' : 'asc');
  return { field, descends: direction === 'desc' };
}

function stepsOf(field: Field, descends: boolean): readonly Step[] {
  return field.title === 'key' ? keySteps(descends) : [{ keyOf: (issue) => sortKey(field, issue), descends }];
}

/** By project, then by number. */
function keySteps(descends: boolean): readonly Step[] {
  return [
    { keyOf: ({ key }) => keyParts(key)[0], descends },
    { keyOf: ({ key }) => sortableId(keyParts(key)[1]), descends },
  ];
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

import type { FieldContent, FieldValue, Issue } from '../../model/issue.ts';
import type { JqlWorld } from '../jql.ts';
import { type Content, UNCERTAIN } from './field.ts';

/** Reads the content of a field as it was then. */
export function readContent(field: string, world: JqlWorld): (issue: Issue) => Content {
  world.onRead?.(field);
  return (issue) => {
    if (isUncertain(issue, field, world)) return UNCERTAIN;
    const content = world.contentOf(issue, field);
    return content === undefined ? ownContent(issue, field) : content;
  };
}

/**
 * Reads a field that holds lists. The past of such a field is told as one value that joins them with a comma and a
 * space; no label contains a space, so a space alone divides labels as well.
 */
export function readList(fields: readonly string[], world: JqlWorld): (issue: Issue) => Content {
  const [only, ...others] = fields;
  const readers = fields.map((field) => readContent(field, world));
  const [read] = readers;
  if (only !== undefined && read !== undefined && others.length === 0) {
    const divider = only === 'labels' ? /,?\s+/ : ', ';
    return (issue) => divided(read(issue), divider);
  }
  return (issue) => {
    const contents = readers.map((one) => divided(one(issue), ', '));
    if (contents.includes(UNCERTAIN)) return UNCERTAIN;
    return contents.flatMap((content) => (content === null || content === UNCERTAIN ? [] : content));
  };
}

function divided(content: Content, divider: string | RegExp): Content {
  if (content === null || typeof content !== 'object' || 'length' in content) return content;
  return divide(content, divider);
}

/** Jira's changelog puts the ids of some lists, and only the ids, in square brackets. */
function divide(value: FieldValue, divider: string | RegExp): readonly FieldValue[] {
  const ids = value.id.replace(/^\[(.*)\]$/s, '$1').split(divider);
  const names = value.name.split(divider);
  const [only, ...others] = ids;
  if (only !== undefined && others.length === 0) return [{ id: only, name: value.name }];
  return ids.map((id, i) => ({ id, name: names.length === ids.length ? (names[i] ?? id) : id }));
}

/** Only the past of an issue can be uncertain: what the tracker shows last, it shows whatever the history lacks. */
function isUncertain(issue: Issue, field: string, world: JqlWorld): boolean {
  if (issue.history.complete || world.now >= issue.updated) return false;
  return world.visitsOf(issue, field).at(-1)?.known === false;
}

/** What an issue tells beside its fields. */
function ownContent(issue: Issue, field: string): FieldContent {
  switch (field) {
    case 'summary':
      return issue.summary;
    case 'status':
      return issue.status;
    case 'assignee':
      return issue.assignee;
    default:
      return null;
  }
}

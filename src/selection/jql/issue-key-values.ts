import { compareIds } from '../../model/issues/ids-and-names.ts';
import { observedIn } from './field-contents.ts';
import { functionCalled } from './functions.ts';
import {
  keyNamed,
  LINKED_ISSUES,
  linkedKeys,
  UPDATED_BY,
  unknownIssueError,
  updatedBy,
} from './issue-functions.ts';
import type { Compilation } from './jql.ts';
import {
  holds,
  type Item,
  idOf,
  idsFor,
  type NonEmptyOperand,
  type Sign,
  textOf,
  type Values,
} from './values.ts';

/** Keys of issues, those they had before as well; greater and less compare the numbers of issues of the same project, as in Jira. */
export function issueKeyValues(compilation: Compilation): Values {
  const read = (operand: NonEmptyOperand): string => {
    if (operand.kind === 'call') functionCalled(operand, [], { compilation, title: 'key', inList: true });
    const key = operand.kind === 'value' ? keyNamed(operand.text, compilation.world) : null;
    if (key !== null) return key;
    throw unknownIssueError(operand, compilation);
  };
  const keys = (operand: NonEmptyOperand, inList: boolean): ReadonlySet<string> => {
    if (operand.kind === 'value') return new Set([read(operand)]);
    functionCalled(operand, [LINKED_ISSUES, UPDATED_BY], { compilation, title: 'key', inList });
    return linkedKeys(operand, compilation);
  };
  return {
    equal: (operand, inList) => {
      const wanted = keys(operand, inList);
      return (item) => wanted.has(textOf(item));
    },
    condition: (call, inList) => {
      if (call.called.text.toLowerCase() !== UPDATED_BY.toLowerCase()) return null;
      functionCalled(call, [UPDATED_BY], { compilation, title: 'key', inList });
      return updatedBy(call, compilation);
    },
    compare: (sign, operand) => {
      const [project, number] = keyParts(read(operand));
      return (item) => {
        const [itsProject, itsNumber] = keyParts(textOf(item));
        return itsProject === project && holds(sign, compareIds(itsNumber, number));
      };
    },
    plain: (sign, operand) => {
      const { columns, known } = compilation.world;
      if (sign === '=') {
        const rows = [...keys(operand, true)].flatMap((key) => known.rowsOfKey(key));
        return { kind: 'rows', rows: Uint32Array.from(rows).sort() };
      }
      const [project, number] = keyParts(read(operand));
      return {
        kind: 'keyNumber',
        projects: Uint8Array.from(columns.projectKeys, (one) => Number(one.toUpperCase() === project)),
        ...numbersThat(sign, number),
      };
    },
    sortKey: textOf,
  };
}

/** The whole numbers that come before or behind the number of a key, which may be written in another way. */
function numbersThat(sign: Sign, number: string): { readonly from: number; readonly until: number } {
  const bound = /^\d+$/.test(number) ? Number(number) : Number.POSITIVE_INFINITY;
  const itself = holds(sign, compareIds(String(bound), number));
  return sign === '<' || sign === '<='
    ? { from: 0, until: itself ? bound + 1 : bound }
    : { from: itself ? bound : bound + 1, until: Number.POSITIVE_INFINITY };
}

/** Parents by key or id: those of all issues, and those that any issue names as its parent. */
export function parentValues(field: string, title: string, compilation: Compilation): Values {
  return {
    equal: (operand, inList) => {
      if (operand.kind === 'call') functionCalled(operand, [], { compilation, title, inList });
      if (operand.kind === 'call') return () => false;
      const { today, former, texts } = observedIn(field, compilation);
      const key = keyNamed(operand.text, compilation.world);
      const named = [operand.text.trim(), ...(key === null ? [] : [key])];
      const ids = new Set(
        named.flatMap((text) => [...(idsFor({ ...operand, text }, [today], [former]) ?? [])]),
      );
      const wanted = named.map((text) => text.toLowerCase());
      if (ids.size === 0 && key === null && ![...texts].some((one) => wanted.includes(one.toLowerCase()))) {
        throw unknownIssueError(operand, compilation);
      }
      return (item: Item) => ids.has(idOf(item)) || wanted.includes(idOf(item).toLowerCase());
    },
    sortKey: textOf,
  };
}

/** Project and number of a key. */
export function keyParts(key: string): readonly [project: string, number: string] {
  const dash = key.lastIndexOf('-');
  return [key.slice(0, dash), key.slice(dash + 1)];
}

import type { FieldValue } from '../../model/issue.ts';
import type { CallOperand, ValueOperand } from '../syntax/query-tree.ts';

/** One value of a field. The past of numbers, dates and texts is told as `FieldValue`s, too. */
export type Item = FieldValue | string | number;

/** Null: nobody can tell. */
export type Test = (item: Item) => boolean | null;

/** What is asked for: a written value or a function. */
export type Asked = ValueOperand | CallOperand;

export type Sign = '<' | '<=' | '>' | '>=';

/** How the values of one kind of field are asked for; what is missing, the kind does not take. */
export interface Values {
  /** Refuses what is no value of the kind. */
  readonly equal: (asked: Asked, inList: boolean) => Test;
  /**
   * The same of a value that a change tells. A name is also that by which the tracker called the value then; without
   * this, what is equal now was equal then.
   */
  readonly equalThen?: (asked: Asked, inList: boolean) => Test;
  readonly compare?: (sign: Sign, asked: Asked) => Test;
  readonly contain?: (asked: Asked) => Test;
  /** Whether a value is another word for EMPTY. */
  readonly meansEmpty?: (asked: Asked) => boolean;
  /** Place in an ascending order. */
  readonly sortKey: (item: Item) => string | number;
  /** Without ASC or DESC the order is descending. */
  readonly descending?: true;
}

/** The text of a value as a history or a field tells it. */
export function textOf(item: Item): string {
  return typeof item === 'object' ? item.name : String(item);
}

export function idOf(item: Item): string {
  return typeof item === 'object' ? item.id : String(item);
}

/** Texts are ordered without regard to case. */
export function byName(item: Item): string {
  return textOf(item).toLowerCase();
}

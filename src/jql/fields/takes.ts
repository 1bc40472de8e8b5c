import type { Operator } from '../syntax/query-tree.ts';

/** Operators of fields whose values are equal or not. */
export const equality: readonly Operator[] = ['=', '!=', 'in', 'not in', 'is', 'is not'];

/** Of fields that are always filled in, or of which Jira does not ask whether they are. */
export const filled: readonly Operator[] = ['=', '!=', 'in', 'not in'];

export const order: readonly Operator[] = ['<', '<=', '>', '>='];

export const search: readonly Operator[] = ['~', '!~', 'is', 'is not'];

/** Of fields with a history. Jira keeps them to six fields; here every field of single values takes them. */
export const past: readonly Operator[] = ['was', 'was not', 'was in', 'was not in', 'changed'];

import { createTextSearch, type TextSearch } from '../../engine/columns/row-predicates.ts';
import { cascadingLevels, isCascading } from '../../model/issues/value-sets.ts';
import { dateValues } from './date-values.ts';
import { observedIn } from './field-contents.ts';
import { checkArguments, functionCalled, writtenValue } from './functions.ts';
import type { Compilation } from './jql.ts';
import { once } from './known-issues.ts';
import { isOneOf, namedValues } from './named-values.ts';
import {
  type CallOperand,
  pieceError,
  unknownWordError,
  type ValueOperand,
  type Word,
} from './query-tree.ts';
import {
  byName,
  holds,
  type Item,
  idsFor,
  itemId,
  type NonEmptyOperand,
  testThen,
  type Values,
} from './values.ts';

/** Plain numbers, such as story points. */
export function numberValues(compilation: Compilation, title: string): Values {
  const problem = `is not a number, as ${title} needs. Try: a number such as 3 or "2.5".`;
  return amounts(title, compilation, numberIn, problem);
}

/** Contents that are amounts, compared with those that `read` finds in a query; `problem` is said of other texts. */
function amounts(
  title: string,
  compilation: Compilation,
  read: (text: string) => number | null,
  problem: string,
): Values {
  const amountIn = (operand: NonEmptyOperand): number => {
    const amount = read(writtenValue(operand, title, compilation).text);
    if (amount === null) throw pieceError(compilation.name, operand, problem);
    return amount;
  };
  return {
    equal: (operand) => {
      const wanted = amountIn(operand);
      return (item) => numberOf(item) === wanted;
    },
    compare: (sign, operand) => {
      const bound = amountIn(operand);
      return (item) => holds(sign, numberOf(item) - bound);
    },
    sortKey: numberOf,
  };
}

/** A number as people write it; null if it is none. */
function numberIn(text: string): number | null {
  return /^[-+]?\d+(?:\.\d+)?$/.test(text.trim()) ? Number(text) : null;
}

/** A number as a content or a history has it; what is no number compares with nothing. */
function numberOf(item: Item): number {
  return typeof item === 'number' ? item : (numberIn(itemId(item)) ?? Number.NaN);
}

/** Seconds of Jira's units: unless a site has changed it, a working day has 8 hours and a week 5 days. */
const seconds: Readonly<Record<string, number>> = { w: 144_000, d: 28_800, h: 3_600, m: 60 };

/** Logged and estimated time, which Jira keeps in seconds: `2h`, `"1d 4h"`, `90m`; a bare number counts minutes. */
export function durationValues(compilation: Compilation, title: string): Values {
  const problem = `is not a duration, as ${title} needs. Try: 2h, 30m or "1d 4h" (w, d, h, m; a day has 8 hours, a week 5 days).`;
  return amounts(title, compilation, readDuration, problem);
}

/** A duration in seconds; null if the text is none. */
function readDuration(text: string): number | null {
  const written = text.trim().toLowerCase();
  if (/^\d+(?:\.\d+)?$/.test(written)) return Number(written) * 60;
  if (!/^\d+(?:\.\d+)?[wdhm](?:\s*\d+(?:\.\d+)?[wdhm])*$/.test(written)) return null;
  let length = 0;
  for (const [, count, unit] of written.matchAll(/(\d+(?:\.\d+)?)([wdhm])/g)) {
    length += Number(count) * (seconds[unit ?? ''] ?? 0);
  }
  return Math.round(length);
}

/**
 * Texts, which are searched by words: every word of the query has to be in the text as a whole word, in any case and order; one
 * with `*` at its end has to begin a word; words in inner quotation marks have to follow each other. Unlike Jira, no
 * other form of a word is found. Signs with a meaning to Jira's search that is not offered here are refused.
 */
export function textValues(compilation: Compilation, title: string): Values {
  return {
    equal: (operand) => {
      const problem = `cannot be compared with ${title}, which is a text. Try: ~ and !~ search its words.`;
      throw pieceError(compilation.name, writtenValue(operand, title, compilation), problem);
    },
    search: (operand) => searchFor(writtenValue(operand, title, compilation), compilation),
    sortKey: byName,
  };
}

const LETTER = '[\\p{L}\\p{N}\\p{M}_]';
const word = new RegExp(`${LETTER}+`, 'gu');

function searchFor(operand: ValueOperand, { name }: Compilation): TextSearch {
  const patterns: RegExp[] = [];
  const found: string[] = [];
  const pieces = operand.text.match(/"[^"]*"?|[^\s"]+/g) ?? [];
  for (const piece of pieces) {
    if (piece.startsWith('"')) {
      if (piece.length < 2 || !piece.endsWith('"'))
        throw pieceError(name, operand, 'has an inner quotation mark that is not closed.');
      if (/[*?]/.test(piece))
        throw pieceError(name, operand, 'has a * or ? within a phrase. Try: whole words in a phrase.');
      const words = wordsOf(piece);
      patterns.push(...phrase(words));
      found.push(...words);
      continue;
    }
    const unsupported = /^[-+!]|[?~^[\]{}()|&\\]|\*(?!$)|^\*|^(?:AND|OR|NOT)$/.exec(piece)?.[0];
    if (unsupported !== undefined) {
      throw pieceError(
        name,
        operand,
        `has '${unsupported}' with a meaning that is not supported. Try: words, a * at the end of a word, and phrases in inner quotation marks.`,
      );
    }
    const words = wordsOf(piece);
    found.push(...words);
    const begun = piece.endsWith('*') ? words.at(-1) : undefined;
    for (const one of begun === undefined ? words : words.slice(0, -1)) patterns.push(...phrase([one]));
    if (begun !== undefined) patterns.push(new RegExp(`(?<!${LETTER})${begun}`, 'iu'));
  }
  if (patterns.length === 0)
    throw pieceError(name, operand, 'has no word to search for. Try: at least one word.');
  return createTextSearch(patterns, found);
}

function wordsOf(text: string): readonly string[] {
  return text.match(word) ?? [];
}

/** Words hold letters and digits only, so they need no escaping. */
function phrase(words: readonly string[]): RegExp[] {
  const between = '[^\\p{L}\\p{N}\\p{M}_]+';
  return words.length === 0 ? [] : [new RegExp(`(?<!${LETTER})${words.join(between)}(?!${LETTER})`, 'iu')];
}

/**
 * A field that no issue fills in, so that its kind is unknown: the operand decides it. A number or a date
 * may be had by none but the past; any other value is known from the field's history or refused.
 */
export function blankValues(compilation: Compilation, title: string, field: string): Values {
  const named = optionValues(compilation, title, field);
  const numbers = numberValues(compilation, title);
  const dates = dateValues(compilation, title);
  const { search } = textValues(compilation, title);
  const isNumber = (operand: NonEmptyOperand) => operand.kind === 'value' && numberIn(operand.text) !== null;
  const isDate = (operand: NonEmptyOperand) =>
    operand.kind === 'call'
      ? operand.called.text.toLowerCase() !== CASCADE.toLowerCase()
      : /^(?:\d{4}[-/]|[-+]?\d+[wdhm])/.test(operand.text.trim());
  const kindOf = (operand: NonEmptyOperand) =>
    isNumber(operand) ? numbers : isDate(operand) ? dates : named;
  return {
    equal: (operand, inList, isThen) => kindOf(operand).equal(operand, inList, isThen),
    compare: (sign, operand) =>
      (isNumber(operand) ? numbers : dates).compare?.(sign, operand) ?? (() => false),
    ...(search === undefined ? {} : { search }),
    sortKey: byName,
  };
}

const CASCADE = 'cascadeOption';

/** Ids of options by the texts their levels are called by, in lower case: names and ids. */
interface OptionLevels {
  /** Those of a parent, itself included. */
  readonly parents: ReadonlyMap<string, ReadonlySet<string>>;
  readonly children: ReadonlyMap<string, ReadonlySet<string>>;
}

/**
 * Options of a custom field by name or id; those of a cascading one by either of their levels, and by
 * `cascadeOption(parent)`, `cascadeOption(parent, child)` and `cascadeOption(parent, none)`.
 */
export function optionValues(compilation: Compilation, title: string, field: string): Values {
  const named = namedValues({ title, fields: [field] }, compilation);
  const levels = once(() => readLevels(field, compilation));
  const ofLevel = (word: Word): ReadonlySet<string> => {
    const { parents, children } = levels();
    const ids = [parents, children].flatMap((level) => [...(level.get(keyOf(word)) ?? [])]);
    return new Set(ids.filter(isCascading));
  };
  return {
    ...named,
    equal(operand, inList, isThen) {
      if (operand.kind === 'call') {
        functionCalled(operand, [CASCADE], { compilation, title, inList });
        checkArguments(operand, compilation, 1, 2);
        return isOneOf(cascadeOptions(operand, levels(), title, compilation));
      }
      const { today, former } = observedIn(field, compilation);
      const ofLevels = ofLevel(operand);
      const ids = new Set([...ofLevels, ...(idsFor(operand, [today], [former]) ?? [])]);
      if ((isThen ? ofLevels : ids).size === 0) return named.equal(operand, inList, isThen);
      if (!isThen) return isOneOf(ids);
      const then = testThen(operand, [today], [former]);
      return (item) => ofLevels.has(itemId(item)) || then?.(item) === true;
    },
  };
}

function cascadeOptions(
  { args }: CallOperand,
  { parents, children }: OptionLevels,
  title: string,
  { name }: Compilation,
): ReadonlySet<string> {
  const [parent, child] = args;
  const among = (word: Word, ids: ReadonlySet<string> | undefined): ReadonlySet<string> => {
    if (ids !== undefined && ids.size > 0) return ids;
    throw unknownWordError(name, word, {
      kind: title,
      what: `an option of ${title} that is known here`,
      allowed: 'the name or the id of one',
    });
  };
  if (parent === undefined) return new Set();
  const ofParent = among(parent, parents.get(keyOf(parent)));
  if (child === undefined) return ofParent;
  // Without quotation marks it is Jira's word for no second level.
  if (!child.quoted && keyOf(child) === 'none') {
    return new Set([...ofParent].filter((id) => !isCascading(id)));
  }
  const ofChild = children.get(keyOf(child));
  return among(child, ofChild && new Set([...ofChild].filter((id) => ofParent.has(id))));
}

function readLevels(field: string, compilation: Compilation): OptionLevels {
  const parents = new Map<string, Set<string>>();
  const children = new Map<string, Set<string>>();
  const add = (level: Map<string, Set<string>>, text: string, id: string) => {
    const key = text.trim().toLowerCase();
    level.set(key, (level.get(key) ?? new Set()).add(id));
  };
  const { today, former } = observedIn(field, compilation);
  for (const naming of [today, former]) {
    for (const [text, ids] of naming.byName) {
      for (const id of ids) {
        const [parentId, childId] = (isCascading(id) ? cascadingLevels('id', id) : null) ?? [id];
        const [parent, child] = (childId === undefined ? null : cascadingLevels('name', text)) ?? [text];
        add(parents, parent, id);
        add(parents, parentId, id);
        if (child !== undefined && childId !== undefined) {
          add(children, child, id);
          add(children, childId, id);
        }
      }
    }
  }
  return { parents, children };
}

function keyOf({ text }: Word): string {
  return text.trim().toLowerCase();
}

import { createTextSearch, type TextSearch } from '../../engine/columns/row-predicates.ts';
import { dateValues } from './date-values.ts';
import { functionCalled } from './functions.ts';
import type { Compilation } from './jql.ts';
import { isOneOf } from './named-values.ts';
import { CASCADE, optionValues } from './option-values.ts';
import { refuse, unknownWordError, type ValueOperand, type Word } from './query-tree.ts';
import { byName, holds, type Item, idOf, idsFor, type NonEmptyOperand, type Values } from './values.ts';

/** Plain numbers, such as story points. */
export function numberValues(title: string, compilation: Compilation): Values {
  const read = (operand: NonEmptyOperand, inList = false): number => {
    if (operand.kind === 'call') functionCalled(operand, [], { compilation, title, inList });
    const written = operand.kind === 'value' ? numberIn(operand.text) : null;
    if (written !== null) return written;
    throw refuse(
      compilation.name,
      operand,
      `is not a number, as ${title} needs. Try: a number such as 3 or "2.5".`,
    );
  };
  return amounts(read);
}

/** Contents that are amounts, compared with those that `read` finds in a query. */
function amounts(read: (operand: NonEmptyOperand, inList?: boolean) => number): Values {
  return {
    equal: (operand, inList) => {
      const wanted = read(operand, inList);
      return (item) => numberOf(item) === wanted;
    },
    compare: (sign, operand) => {
      const bound = read(operand);
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
  return typeof item === 'number' ? item : (numberIn(idOf(item)) ?? Number.NaN);
}

/** Seconds of Jira's units: unless a site has changed it, a working day has 8 hours and a week 5 days. */
const seconds: Readonly<Record<string, number>> = { w: 144_000, d: 28_800, h: 3_600, m: 60 };

/** Logged and estimated time, which Jira keeps in seconds: `2h`, `"1d 4h"`, `90m`; a bare number counts minutes. */
export function durationValues(title: string, compilation: Compilation): Values {
  const read = (operand: NonEmptyOperand, inList = false): number => {
    if (operand.kind === 'call') functionCalled(operand, [], { compilation, title, inList });
    const duration = operand.kind === 'value' ? readDuration(operand.text) : null;
    if (duration !== null) return duration;
    throw refuse(
      compilation.name,
      operand,
      `is not a duration, as ${title} needs. Try: 2h, 30m or "1d 4h" (w, d, h, m; a day has 8 hours, a week 5 days).`,
    );
  };
  return amounts(read);
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
export function textValues(title: string, compilation: Compilation): Values {
  const search = (operand: NonEmptyOperand): TextSearch => {
    if (operand.kind === 'call') functionCalled(operand, [], { compilation, title, inList: false });
    return operand.kind === 'value' ? searchFor(operand, compilation) : createTextSearch([], []);
  };
  return {
    equal: (operand, inList) => {
      if (operand.kind === 'call') functionCalled(operand, [], { compilation, title, inList });
      throw refuse(
        compilation.name,
        operand,
        `cannot be compared with ${title}, which is a text. Try: ~ and !~ search its words.`,
      );
    },
    search,
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
        throw refuse(name, operand, 'has an inner quotation mark that is not closed.');
      if (/[*?]/.test(piece))
        throw refuse(name, operand, 'has a * or ? within a phrase. Try: whole words in a phrase.');
      const words = wordsOf(piece);
      patterns.push(...phrase(words));
      found.push(...words);
      continue;
    }
    const unsupported = /^[-+!]|[?~^[\]{}()|&\\]|\*(?!$)|^\*|^(?:AND|OR|NOT)$/.exec(piece)?.[0];
    if (unsupported !== undefined) {
      throw refuse(
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
    throw refuse(name, operand, 'has no word to search for. Try: at least one word.');
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

/** The keys of the projects that a word stands for. Known are those with issues the principal may see. */
export function projectKeys(word: Word, { world, name }: Compilation): ReadonlySet<string> {
  const projects = world.known.projects();
  const keys = idsFor(word, [projects.byKey], [projects.named]);
  if (keys !== null) return keys;
  throw unknownWordError(name, word, {
    kind: 'project',
    what: 'a project that is known here',
    allowed: { names: projects.byKey.names, none: 'there are no projects here' },
  });
}

/** Projects by key, name or id; their items are the keys. */
export function projectValues(compilation: Compilation): Values {
  return {
    equal: (operand, inList) => {
      if (operand.kind === 'value') return isOneOf(projectKeys(operand, compilation));
      functionCalled(operand, [], { compilation, title: 'project', inList });
      return () => false;
    },
    sortKey: byName,
  };
}

/**
 * A field that no issue fills in, so that its kind is unknown: the operand decides it. A number or a date
 * may be had by none but the past; any other value is known from the field's history or refused.
 */
export function blankValues(field: string, title: string, compilation: Compilation): Values {
  const named = optionValues(field, title, compilation);
  const numbers = numberValues(title, compilation);
  const dates = dateValues(title, compilation);
  const { search } = textValues(title, compilation);
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
